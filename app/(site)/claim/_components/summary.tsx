import { bytes } from "@/components/ui/bytes";
import { Fact, Facts } from "@/components/ui/facts";
import { capitalized } from "@/components/ui/label-of";
import { Time } from "@/components/ui/time";
import { counted } from "@/lib/platform/counted";
import { truncate } from "@/lib/platform/truncate";

/** More than three lines hold. */
const CHARACTERS_MAX = 1000;

/** A public resource of any kind, summarized for the claim page. */
export function Summary({ resource }: { resource: object }) {
  const fields = new Map<string, unknown>(Object.entries(resource));
  const time = (name: string) => {
    const value = fields.get(name);
    return typeof value === "number" ? <Time unix={value} /> : null;
  };
  return (
    <Facts>
      <Fact name="Created">without an account, {time("created_at")}</Fact>
      {fields.get("updated_at") !== fields.get("created_at") && (
        <Fact name="Last changed">{time("updated_at")}</Fact>
      )}
      {typeof fields.get("due_at") === "number" && <Fact name="Due">{time("due_at")}</Fact>}
      {typeof fields.get("scheduled_at") === "number" && (
        <Fact name="Due">{time("scheduled_at")}</Fact>
      )}
      {FACTS.map(({ field, name, words }) => {
        const value = fields.get(field);
        const shown = value === null || value === undefined ? "" : words(value);
        return shown === "" ? null : (
          <Fact key={field} name={name}>
            <span className="line-clamp-3">{truncate(shown, CHARACTERS_MAX)}</span>
          </Fact>
        );
      })}
    </Facts>
  );
}

interface FactOf {
  field: string;
  name: string;
  words(value: unknown): string;
}

const FACTS: FactOf[] = [
  { field: "description", name: "Description", words: String },
  { field: "priority", name: "Priority", words: (value) => capitalized(String(value)) },
  {
    field: "labels",
    name: "Labels",
    words: (value) => (Array.isArray(value) ? value.join(", ") : ""),
  },
  { field: "format", name: "Format", words: String },
  { field: "size", name: "Size", words: (value) => bytes(Number(value)) },
  {
    field: "event_count",
    name: "Holds",
    words: (value) => counted(Number(value), "event"),
  },
  { field: "status", name: "Status", words: String },
];
