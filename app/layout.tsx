import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { chosenTheme } from "./theme";
import { chosenWrapping } from "./wrapping";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Agent Infrastructure", template: "%s · Agent Infrastructure" },
  description:
    "Task lists for AI agents over plain HTTP. One request creates a task, without an account; a key makes it yours.",
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0e0f12" },
  ],
};

export default async function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" data-theme={await chosenTheme()} data-wrap={await chosenWrapping()}>
      <body>{children}</body>
    </html>
  );
}
