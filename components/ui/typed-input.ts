import { toast } from "./toast";

const KEY = "typed-input";
const MESSAGE = "This page was updated. Review your input and submit it again.";

interface Kept {
  path: string;
  /** What was typed into each field, by the names of the form's fields. */
  forms: Record<string, Record<string, string | boolean>>;
}

/** Fields with input: of a controlled field the default cannot tell, since React changes it. */
const edited = new WeakSet<Element>();

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether a form of the page has unsent input. */
export function hasTypedInput(): boolean {
  return Array.from(document.forms).some((form) => fieldsOf(form).some(isTyped));
}

/** Reloads the page and restores what was typed into its forms. */
export function reloadWithTypedInput(): void {
  const forms: Kept["forms"] = {};
  for (const form of document.forms) {
    const typed = typedValues(form);
    if (Object.keys(typed).length > 0) forms[nameOf(form)] = typed;
  }
  const kept: Kept = { path: location.pathname, forms };
  // Only secrets will be lost, so no form needs to ask.
  if (keepInTab(KEY, kept)) {
    window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), {
      capture: true,
    });
  }
  location.reload();
}

/** Keeps a value for this tab. If there is no room, keeps none and returns false. */
export function keepInTab(key: string, value: object): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    sessionStorage.removeItem(key);
    return false;
  }
}

/** Restores what was typed into this form before the reload, and records on until stopped. */
export function keepTypedInput(form: HTMLFormElement): () => void {
  const note = ({ target }: Event) => {
    if (target instanceof Element) edited.add(target);
  };
  const forget = () => {
    for (const field of form.elements) edited.delete(field);
  };
  const over = new AbortController();
  form.addEventListener("input", note, over);
  form.addEventListener("reset", forget, over);
  restore(form);
  return () => over.abort();
}

/** Whether what was typed into this form before the reload is restored. */
export function isRestored(form: HTMLFormElement): boolean {
  const kept = readKept();
  return kept?.path === location.pathname && kept.forms[nameOf(form)] !== undefined;
}

function restore(form: HTMLFormElement) {
  const kept = readKept();
  const values = kept?.forms[nameOf(form)];
  if (!kept || !values || !isRestored(form)) return;
  setTypedValues(form, values);
  delete kept.forms[nameOf(form)];
  keepInTab(KEY, kept);
  // The page may add its listener in the same turn.
  setTimeout(toast, 0, MESSAGE);
}

/** The field of a form that has this name. */
export function fieldNamed(formId: string, name: string): Field | undefined {
  const form = document.getElementById(formId);
  const field = form instanceof HTMLFormElement ? form.elements.namedItem(name) : null;
  return field instanceof Element && isField(field) ? field : undefined;
}

/** What was typed into each field of the form. */
export function typedValues(form: HTMLFormElement): Record<string, string | boolean> {
  // A refused value may have become the default of its field.
  const given = fieldsOf(form).filter((field) => isTyped(field) || edited.has(field));
  return Object.fromEntries(given.map(entryOf));
}

/** Types these values into the form again. Returns whether it has any of the fields. */
export function setTypedValues(
  form: HTMLFormElement,
  values: Record<string, string | boolean>,
): boolean {
  const fields = fieldsOf(form).filter((field) => values[keyOf(field)] !== undefined);
  for (const field of fields) setTyped(field, values[keyOf(field)] ?? "");
  return fields.length > 0;
}

function readKept(): Kept | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : JSON.parse(text);
}

/** A name for the form, equal in both versions unless its fields differ. */
function nameOf(form: HTMLFormElement): string {
  return fieldsOf(form).map(keyOf).sort().join(" ");
}

/** Excludes hidden fields, which belong to the page, and secrets. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return Array.from(form.elements).filter(
    (element): element is Field =>
      isField(element) &&
      !element.matches("[type=hidden], [type=password], [type=file], [data-secret], [name='']"),
  );
}

function isField(element: Element): element is Field {
  return element.matches("input, textarea, select");
}

function keyOf(field: Field): string {
  return isChoice(field) ? `${field.name}=${field.value}` : field.name;
}

/** `data-kept` has the text that restores what a field shows. */
function entryOf(field: Field): [string, string | boolean] {
  return [keyOf(field), isChoice(field) ? field.checked : (field.dataset.kept ?? field.value)];
}

function isTyped(field: Field): boolean {
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  if (edited.has(field) || field.dataset.kept !== undefined) return true;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  return Array.from(field.options).some((option) => option.selected !== option.defaultSelected);
}

function isChoice(field: Field): field is HTMLInputElement {
  return field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);
}

/** Gives a field input so that React detects it: by a click, or through the field's own setter. */
export function setTyped(field: Field, value: string | boolean): void {
  if (isChoice(field)) {
    if (field.checked !== value) field.click();
    return;
  }
  edited.add(field);
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
  setter?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
