import { toast } from "./toast";

const MESSAGE = "This page was updated. Review your input and submit it again.";

/** The event of a form when what was typed was saved, or is kept for the reloaded page. */
export const SETTLED = "settled";

/** Fields with input: of a controlled field the default cannot tell, since React changes it. */
const edited = new WeakSet<Element>();

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether a form of the page has unsent input. */
export function hasTypedInput(): boolean {
  return Array.from(document.forms).some(isTypedInto);
}

export function isTypedInto(form: HTMLFormElement): boolean {
  return fieldsOf(form).some(isTyped);
}

/** Reloads the page and restores what was typed into its forms. */
export function reloadWithTypedInput(): void {
  const forms = Array.from(document.forms).filter(isTypedInto);
  // Only secrets will be lost, so no form needs to ask.
  if (forms.map((form) => keepTyped(form, reloadKey(form))).every(Boolean)) {
    for (const form of document.forms) form.dispatchEvent(new Event(SETTLED));
  }
  location.reload();
}

/** The storage key of a form's input. `of` distinguishes the forms of a page. */
export function keptKey(of: string): string {
  return `draft ${location.pathname} ${of}`;
}

/** The key of a form in the reloaded page: equal in both versions unless its fields differ. */
function reloadKey(form: HTMLFormElement): string {
  return keptKey(`reload ${fieldsOf(form).map(keyOf).sort().join(" ")}`);
}

/**
 * Keeps what was typed into the form for this tab, or forgets the key if nothing was. If there is no
 * room, keeps nothing and returns false.
 */
export function keepTyped(form: HTMLFormElement, key: string): boolean {
  const typed = fieldsOf(form).filter(isTyped).map(entryOf);
  sessionStorage.removeItem(key);
  try {
    if (typed.length > 0) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(typed)));
    return true;
  } catch {
    return false;
  }
}

/** Types what is kept into the form again, and forgets it. Returns whether it has any of the fields. */
export function restoreTyped(form: HTMLFormElement, key: string): boolean {
  const text = sessionStorage.getItem(key);
  if (text === null) return false;
  sessionStorage.removeItem(key);
  const values: Record<string, string | boolean> = JSON.parse(text);
  const fields = fieldsOf(form).filter((field) => values[keyOf(field)] !== undefined);
  for (const field of fields) setTyped(field, values[keyOf(field)] ?? "");
  return fields.length > 0;
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
  restoreReloaded(form);
  return () => over.abort();
}

/** Restores what was typed into this form before the reload, if anything was, and returns whether. */
export function restoreReloaded(form: HTMLFormElement): boolean {
  const isRestored = restoreTyped(form, reloadKey(form));
  // The page may add its listener in the same turn.
  if (isRestored) setTimeout(toast, 0, MESSAGE);
  return isRestored;
}

/** The field of a form that has this name. */
export function fieldNamed(formId: string, name: string): Field | undefined {
  const form = document.getElementById(formId);
  const field = form instanceof HTMLFormElement ? form.elements.namedItem(name) : null;
  return field instanceof Element && isField(field) ? field : undefined;
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
  // A refused value may have become the default of its field.
  if (edited.has(field) || field.dataset.kept !== undefined) return true;
  if (isChoice(field)) return field.checked !== field.defaultChecked;
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
