import * as z from "zod";
import { ErrorEnvelope } from "@/lib/platform/http/error-envelope";
import { objectType, text } from "@/lib/platform/http/fields";
import { wordList } from "@/lib/platform/http/issue-message";
import { isObject } from "@/lib/platform/http/request";
import { kinds } from "@/lib/resources/kinds";

/** The maximum number of operations in a batch. */
const BATCH_MAX = 100;
/** The `body` of each of the `operations`. */
export const BATCH_PARTS = { depth: 4, max: BATCH_MAX };

const PATH = new RegExp(`^/api/(${kinds.map(({ name }) => name).join("|")})(/[^/?#]+)?$`);
const PATH_RULE = `must be /api/{kind} with POST, or /api/{kind}/{id} with DELETE; the kinds are ${wordList(
  kinds.map(({ name }) => name),
  "and",
)}`;

/** Not a `z.record`, which skips a key named `__proto__`. */
const CreateBody = z
  .unknown()
  .check(({ value, issues }) => {
    if (isObject(value)) return;
    issues.push({ code: "custom", message: "must be an object", input: value });
  })
  // Guaranteed by the check above.
  .transform((value) => value as Record<string, unknown>)
  .meta({ type: "object" });

const BatchOperation = z
  .strictObject({
    method: z.enum(["POST", "DELETE"]).describe("`POST` creates, `DELETE` deletes."),
    path: text().regex(PATH, PATH_RULE).describe("`/api/tasks`, or `/api/tasks/{id}` with DELETE."),
    body: CreateBody.optional().describe("The body of the create."),
  })
  .refine(({ method, path }) => (method === "DELETE") === (path.split("/").length === 4), {
    path: ["path"],
    error: PATH_RULE,
  })
  .refine(({ method, body }) => method === "POST" || body === undefined, {
    path: ["body"],
    error: "must be omitted with DELETE",
  });

export const Batch = z
  .strictObject({
    operations: z.array(BatchOperation).min(1).max(BATCH_MAX).describe("They run in this order."),
  })
  .meta({
    id: "Batch",
    examples: [
      {
        operations: [
          { method: "POST", path: "/api/tasks", body: { name: "Write the report" } },
          { method: "DELETE", path: "/api/tasks/tsk_034gLHnnT5MH2Sbz6VPrmYvR1q" },
        ],
      },
    ],
  });
export type Batch = z.infer<typeof Batch>;
export type Step = Batch["operations"][number];

const Outcome = z.object({
  status: z.int().describe("The HTTP status of this operation alone."),
  id: z.string().nullable().describe("The resource's ID. Null if it failed."),
  error: ErrorEnvelope.shape.error.nullable().describe("Null if it succeeded or was not tried."),
});

export const BatchResult = z
  .object({
    object: objectType("batch_result"),
    data: z.array(Outcome).describe("One for each operation, in the same order."),
    claim_token: z.string().optional().describe("Claims all that was created. Shown once."),
    claim_link: z.string().optional().describe("For your user: the claim page, with the token."),
  })
  .meta({
    id: "BatchResult",
    examples: [
      {
        data: [
          { status: 201, id: "tsk_034gM0Zr8oVbYwWk3nJ5cTqB2x", error: null },
          { status: 204, id: "tsk_034gLHnnT5MH2Sbz6VPrmYvR1q", error: null },
        ],
      },
    ],
  });
export type BatchResult = z.infer<typeof BatchResult>;
