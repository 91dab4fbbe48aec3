import { config } from "@/lib/platform/config/config";
import manifest from "@/package.json" with { type: "json" };
import { Home } from "./_components/home";

// The base URL is configured at run time.
export const dynamic = "force-dynamic";

export default function HomePage() {
  return <Home baseUrl={config().baseUrl} version={manifest.version} />;
}
