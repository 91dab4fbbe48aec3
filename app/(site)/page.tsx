import { SiteFrame } from "@/components/site/frame";
import { config } from "@/lib/platform/config/config";
import { type CreatedTask, TASK_EXAMPLE } from "@/lib/resources/tasks/contract";
import { Home } from "./_components/home";

// The base URL is configured at run time.
export const dynamic = "force-dynamic";

export default function HomePage() {
  const { baseUrl } = config();
  return (
    <SiteFrame>
      <Home baseUrl={baseUrl} created={createdTask(baseUrl)} />
    </SiteFrame>
  );
}

const ID = "tsk_8DmMnNkJcR3nT5yB7mXe2GhLs";
const TOKEN = "clm_8sKq2VnY4tRwZ6xB1cDfG3hJ5kLm7pQr";

/** The example of the contract, as the first call would create it. */
function createdTask(baseUrl: string): CreatedTask {
  return {
    ...{ id: ID, object: "task", organization_id: null }, // first, as in every response
    ...TASK_EXAMPLE,
    ...{ id: ID, name: "Say hello", priority: "low", due_at: null, labels: ["demo"] },
    ...{ external_id: null, created_at: 1795248000, updated_at: 1795248000 },
    claim_token: TOKEN,
    claim_url: `/api/claim/${ID}`,
    claim_link: `${baseUrl}/claim/${ID}#claim_token=${TOKEN}`,
    view_url: `${baseUrl}/tasks/${ID}`,
  };
}
