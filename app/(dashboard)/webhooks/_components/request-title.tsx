import { Method } from "@/components/ui/method";
import { pathBelowCaptureUrl } from "./request-path";

/** A captured request's method, and its path below the capture URL. */
export function RequestTitle(props: {
  request: { method: string; path: string; query_string: string };
}) {
  const { request } = props;
  return (
    <>
      <Method method={request.method} />
      <span className="min-w-0 truncate font-mono">{pathBelowCaptureUrl(request) || "/"}</span>
    </>
  );
}
