import { accountRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { ApiError } from "@/lib/platform/errors";
import { FORM_TYPE } from "@/lib/platform/http/form-size";
import { LONG_BODY_BYTES_MAX } from "@/lib/platform/http/operation";
import { validate } from "@/lib/platform/http/validation";
import { ArtifactCreate } from "@/lib/resources/artifacts/contract";
import { viewResponse } from "@/lib/resources/artifacts/view";

/** The preview of an artifact in the editor. */
export const POST = accountRoute(async (_caller, _params, request) => {
  if (request.headers.get("sec-fetch-site") !== "same-origin") {
    throw new ApiError("forbidden", "This form was submitted from another site.");
  }
  // Megabytes in another encoding, which no page sends, take seconds to parse.
  if (!FORM_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError(
      "invalid_request",
      "Send the form as multipart/form-data with a plain boundary.",
    );
  }
  // A body of unknown length, or longer than any artifact, is not read.
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= LONG_BODY_BYTES_MAX)) {
    throw new ApiError("payload_too_large", "The content is larger than an artifact may be.");
  }
  const data = await request.formData();
  const content = String(data.get("content")).replaceAll("\r\n", "\n");
  const input = { name: "Preview", content, format: data.get("format") };
  const { name, format = "markdown" } = validate(ArtifactCreate, input);
  return viewResponse(request, { name, format, content });
});
