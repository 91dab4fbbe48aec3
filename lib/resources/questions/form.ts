import * as z from "zod";
import { quote } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { issueMessage, wordList } from "@/lib/platform/http/issue-message";
import { choicesOf } from "./choices";

/* The forms of MCP's elicitation: a flat JSON Schema, whose properties are the fields. */

export const FIELDS_MAX = 20;
const FIELD_NAME_CHARACTERS_MAX = 64;
export const CHOICES_MAX = 100;
/** The choices of all fields together, so that a form fits into a body (`JSON_VALUES_MAX`). */
export const ALL_CHOICES_MAX = 500;
/** The longest text of an answer. */
export const ANSWER_CHARACTERS_MAX = 10_000;

const name = z
  .string()
  .regex(
    new RegExp(`^[\\w.-]{1,${FIELD_NAME_CHARACTERS_MAX}}$`),
    `must have a name of 1 to ${FIELD_NAME_CHARACTERS_MAX} letters, digits, _, - or .`,
  );

const words = {
  title: text({ max: 200 }).optional(),
  description: text({ max: 1000 }).optional(),
};
const label = text({ min: 1, max: 200 });
const values = z.array(label).min(1).max(CHOICES_MAX).check(differ);
const titled = z
  .array(z.strictObject({ const: label, title: label }))
  .min(1)
  .max(CHOICES_MAX)
  .check((context) => differ({ ...context, value: context.value.map((one) => one.const) }));
const length = z.int().min(0).max(ANSWER_CHARACTERS_MAX).optional();
const items = z.int().min(0).max(CHOICES_MAX).optional();

const TextField = z.strictObject({
  type: z.literal("string"),
  ...words,
  minLength: length,
  maxLength: length,
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  enum: values.optional(),
  enumNames: z.array(label).optional(),
  oneOf: titled.optional(),
  default: z.string().optional(),
});
const NumberField = z.strictObject({
  type: z.enum(["number", "integer"]),
  ...words,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
const Flag = z.strictObject({
  type: z.literal("boolean"),
  ...words,
  default: z.boolean().optional(),
});
const Several = z.strictObject({
  type: z.literal("array"),
  ...words,
  minItems: items,
  maxItems: items,
  items: z.union(
    [
      z.strictObject({ type: z.literal("string"), enum: values }),
      z.strictObject({ anyOf: titled }),
    ],
    "must be strings with an enum, or an anyOf of const and title: a form cannot be nested",
  ),
  default: z.array(z.string()).optional(),
});

const FormField = z
  .discriminatedUnion("type", [TextField, NumberField, Flag, Several], {
    error: ({ input }) =>
      typeof Object(input).type === "object" || ["object", "null"].includes(Object(input).type)
        ? "must not be nested: a form has fields of the types string, number, integer, boolean and array"
        : "must have one of the types string, number, integer, boolean and array",
  })
  .check(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem) issues.push({ code: "custom", message: problem, input: value });
  });
export type FormField = z.infer<typeof FormField>;

export const Form = z
  .strictObject({
    $schema: z.string().optional(),
    type: z.literal("object"),
    ...words,
    properties: z.record(name, FormField),
    required: z.array(z.string()).optional(),
    additionalProperties: z.literal(false).optional(),
  })
  .check(({ value: { properties, required = [] }, issues }) => {
    const names = Object.keys(properties);
    const unknown = required.findIndex((one) => !names.includes(one));
    if (unknown !== -1) {
      const message = `must be one of the fields ${wordList(names, "and")}`;
      issues.push({ code: "custom", path: ["required", unknown], message, input: required });
    }
    const choices = Object.values(properties).flatMap((field) => choicesOf(field) ?? []).length;
    const problem =
      names.length === 0 || names.length > FIELDS_MAX
        ? `must have 1 to ${FIELDS_MAX} fields, not ${names.length}`
        : choices > ALL_CHOICES_MAX &&
          `must have at most ${ALL_CHOICES_MAX} choices in all fields together, not ${choices}`;
    if (!problem) return;
    issues.push({ code: "custom", path: ["properties"], message: problem, input: properties });
  });
export type Form = z.infer<typeof Form>;

/** A form in responses and documents, which leave out its details. */
export const anyForm = z.record(z.string(), z.unknown()) as unknown as z.ZodType<Form>;

/** A form in requests, checked. */
export const formField = z
  .record(z.string(), z.unknown())
  .check(({ value, issues }) => {
    // zod skips this key, but the form is stored as it was sent.
    if (Object.hasOwn(Object(value.properties), "__proto__")) {
      const path = ["properties", "__proto__"];
      issues.push({ code: "custom", path, message: "must have another name", input: value });
    }
    for (const issue of Form.safeParse(value).error?.issues ?? []) {
      const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
      const path = unknown === undefined ? issue.path : [...issue.path, unknown];
      issues.push({ code: "custom", path, message: wordsOf(issue), input: value });
    }
  })
  .meta({ maxProperties: Object.keys(Form.shape).length });

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return "is not allowed: a form has only the keywords of MCP elicitation";
  }
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  return issueMessage(issue, undefined, undefined);
}

/** What a form is answered with: a value for each field. */
export type FormAnswer = Record<string, unknown>;

/** The schema of the answers to a form. */
export function answersTo({ properties, required = [] }: Form): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(properties).map(([key, field]) => {
        const schema = schemaOf(field);
        return [key, required.includes(key) ? schema : schema.optional()];
      }),
    ),
  );
}

function schemaOf(field: FormField): z.ZodType {
  const allowed = choicesOf(field)?.map(([value]) => value);
  switch (field.type) {
    case "boolean":
      return z.boolean();
    case "array": {
      const { minItems = 0, maxItems = CHOICES_MAX } = field;
      return z
        .array(z.enum(allowed ?? []))
        .min(minItems)
        .max(maxItems)
        .check(differ);
    }
    case "string": {
      if (allowed) return z.enum(allowed);
      const { minLength: min = 0, maxLength: max = ANSWER_CHARACTERS_MAX, format } = field;
      const bounded = text({ min, max });
      return format ? bounded.check((context) => assertFormat(format, context)) : bounded;
    }
    default: {
      const { minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE } = field;
      const bounded = field.type === "integer" ? z.int() : z.number();
      return bounded.min(minimum).max(maximum);
    }
  }
}

const FORMATS = {
  email: [z.email(), "an email address"],
  uri: [z.url(), "a URL, such as https://example.com"],
  date: [z.iso.date(), "a date, such as 2026-11-26"],
  "date-time": [z.iso.datetime({ offset: true }), "a time, such as 2026-11-26T09:00:00Z"],
} as const;

type Checked<Value> = Parameters<z.core.CheckFn<Value>>[0];

function assertFormat(format: keyof typeof FORMATS, { value, issues }: Checked<string>): void {
  const [schema, noun] = FORMATS[format];
  if (schema.safeParse(value).success) return;
  issues.push({ code: "custom", message: `must be ${noun}`, input: value });
}

function differ({ value, issues }: Checked<string[]>): void {
  const again = value.findIndex((one, index) => value.indexOf(one) < index);
  if (again === -1) return;
  const message = `must be unique: ${quote(value[again] ?? "")} appears twice`;
  issues.push({ code: "custom", message, input: value });
}

/** Why no answer would fit the field, or its default does not. */
function problemOf(field: FormField): string | undefined {
  if (field.type === "string") {
    const { enum: listed, enumNames, oneOf, format } = field;
    if (listed && oneOf) return "must not have both enum and oneOf";
    if ((listed || oneOf) && format) return "must not have both choices and a format";
    if (enumNames && enumNames.length !== listed?.length) {
      return "must have as many enumNames as enum values";
    }
  }
  const [least, most] = boundsOf(field);
  if (least > most) return `must not have a minimum above its maximum: ${least} and ${most}`;
  const { default: preset } = field;
  if (preset === undefined || schemaOf(field).safeParse(preset).success) return undefined;
  return "must have a default that is a valid answer";
}

function boundsOf(field: FormField): [least: number, most: number] {
  if (field.type === "string") {
    return [field.minLength ?? 0, field.maxLength ?? ANSWER_CHARACTERS_MAX];
  }
  if (field.type === "array") {
    const { length: all = 0 } = choicesOf(field) ?? [];
    return [field.minItems ?? 0, Math.min(field.maxItems ?? all, all)];
  }
  if (field.type === "boolean") return [0, 1];
  return [field.minimum ?? Number.NEGATIVE_INFINITY, field.maximum ?? Number.POSITIVE_INFINITY];
}
