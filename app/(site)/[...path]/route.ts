import { missingPage } from "@/lib/platform/http/missing-page";

function missing(request: Request): Response {
  const { status, headers, body } = missingPage(request);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

export {
  missing as DELETE,
  missing as GET,
  missing as HEAD,
  missing as OPTIONS,
  missing as PATCH,
  missing as POST,
  missing as PUT,
};
