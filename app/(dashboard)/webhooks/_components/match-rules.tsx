"use client";

import { useId, useRef, useState } from "react";
import { Icon } from "@/components/ui/icon";
import { TextArea } from "@/components/ui/text-area";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { MatchConditions } from "@/lib/resources/webhooks/forward/match";

/** One condition as the fields show it. */
interface Rule {
  name: string;
  is: "text" | "number" | "true" | "false" | "null";
  value: string;
}

const COMPARISONS: [Rule["is"], string][] = [
  ["text", "is"],
  ["number", "is the number"],
  ["true", "is true"],
  ["false", "is false"],
  ["null", "is null"],
];

/** Names that senders use to say what an event is. */
const SUGGESTED = ["x-github-event", "x-shopify-topic", "$.type", "$.action", "$.event"];

interface Props {
  match: MatchConditions | null;
  /** How many conditions there may be. */
  max: number;
}

const NO_RULE: Rule = { name: "", is: "text", value: "" };

/**
 * The conditions that an event must meet, one in each row. The form sends them as JSON, which can be
 * edited too, and is all that there is without scripts.
 */
export function MatchRules({ match, max }: Props) {
  const id = useId();
  const given = match ? JSON.stringify(match) : "";
  const [json, setJson] = useState(given);
  const [rules, setRules] = useState(() => rulesIn(json) ?? []);
  const isHydrated = useHydrated();
  const here = useRef<HTMLFieldSetElement>(null);
  const change = (changed: Rule[]) => {
    setRules(changed);
    setJson(jsonOf(changed));
  };
  /** A change by a button. It fires `input`, so that the form notices it as it does typing. */
  const press = (changed: Rule[]) => {
    change(changed);
    here.current?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const set = (at: number, part: Partial<Rule>) =>
    change(rules.map((rule, index) => (index === at ? { ...rule, ...part } : rule)));
  return (
    <fieldset ref={here} data-field>
      <legend className="mb-1 text-small text-muted">
        Only events that meet all of these conditions; all events if there are none
      </legend>
      {isHydrated && (
        <div className="grid gap-2">
          {rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no other identity.
            <div key={at} className="flex flex-wrap items-center gap-2">
              <input
                name=""
                ref={(field) =>
                  field?.setCustomValidity(
                    isTaken(rules, at) ? "Another condition has this name." : "",
                  )
                }
                aria-label="Header or JSON path"
                list={`${id}-names`}
                autoComplete="off"
                placeholder="x-github-event or $.type"
                value={rule.name}
                onChange={({ target }) => set(at, { name: target.value })}
                className="field min-w-40 flex-[2_1_10rem] font-mono"
              />
              <select
                name=""
                aria-label="Comparison"
                value={rule.is}
                onChange={({ target }) => set(at, { is: target.value as Rule["is"] })}
                className="field w-auto"
              >
                {COMPARISONS.map(([is, words]) => (
                  <option key={is} value={is}>
                    {words}
                  </option>
                ))}
              </select>
              {(rule.is === "text" || rule.is === "number") && (
                <input
                  name=""
                  aria-label="Value"
                  autoComplete="off"
                  inputMode={rule.is === "number" ? "decimal" : "text"}
                  placeholder={rule.is === "number" ? "1" : "push"}
                  value={rule.value}
                  onChange={({ target }) => set(at, { value: target.value })}
                  className="field min-w-24 flex-[1_1_6rem] font-mono"
                />
              )}
              <button
                type="button"
                aria-label={`Remove the condition ${rule.name}`.trim()}
                title="Remove"
                onClick={() => press(rules.filter((_, index) => index !== at))}
                className="button px-2"
              >
                <Icon name="close" />
              </button>
            </div>
          ))}
          <datalist id={`${id}-names`}>
            {SUGGESTED.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          {rules.length < max && (
            <button
              type="button"
              onClick={() => press([...rules, NO_RULE])}
              className="button w-fit"
            >
              <Icon name="plus" />
              Add condition
            </button>
          )}
        </div>
      )}
      <details open={!isHydrated} className="mt-2">
        <summary className="w-fit cursor-pointer text-small text-muted hover:text-ink">
          As JSON
        </summary>
        <TextArea
          id={`${id}-json`}
          name="match"
          aria-label="Match as JSON"
          rows={2}
          spellCheck={false}
          placeholder='{"x-github-event": "push"}'
          value={json}
          data-kept={json === given ? undefined : json}
          onChange={({ target }) => {
            setJson(target.value);
            const typed = rulesIn(target.value);
            if (typed) setRules(typed);
          }}
          className="field mt-1 font-mono"
        />
      </details>
    </fieldset>
  );
}

/** The conditions of a JSON object; undefined if it is none, or has other values. */
function rulesIn(json: string): Rule[] | undefined {
  if (json.trim() === "") return [];
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const rules: Rule[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string") rules.push({ name, is: "text", value });
    else if (typeof value === "number") rules.push({ name, is: "number", value: String(value) });
    else if (value === null) rules.push({ name, is: "null", value: "" });
    else if (typeof value === "boolean") rules.push({ name, is: `${value}`, value: "" });
    else return undefined;
  }
  return rules;
}

/** Whether a condition before this one has its name. The JSON could hold only one of them. */
function isTaken(rules: Rule[], at: number): boolean {
  const key = ({ name }: Rule) => {
    const trimmed = name.trim();
    return trimmed.startsWith("$") ? trimmed : trimmed.toLowerCase();
  };
  const [own = "", ...before] = [rules[at] ?? NO_RULE, ...rules.slice(0, at)].map(key);
  return own !== "" && before.includes(own);
}

/** The JSON object of the conditions that have a name; empty without any. */
function jsonOf(rules: Rule[]): string {
  const named = rules.filter(({ name }) => name.trim() !== "");
  if (named.length === 0) return "";
  return JSON.stringify(
    Object.fromEntries(named.map((rule) => [rule.name.trim(), jsonValueOf(rule)])),
  );
}

function jsonValueOf({ is, value }: Rule): MatchConditions[string] {
  if (is === "text") return value;
  if (is === "null") return null;
  if (is !== "number") return is === "true";
  const number = Number(value);
  return value.trim() === "" || !Number.isFinite(number) ? value : number;
}
