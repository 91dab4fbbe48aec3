import type { ReactNode } from "react";
import { Notifications } from "@/components/ui/notifications";
import ZonedLayout from "../claim/layout";

export default function AnswerLayout({ children }: { children: ReactNode }) {
  return (
    <ZonedLayout>
      {children}
      <Notifications />
    </ZonedLayout>
  );
}
