import { openSearch, type SearchResult } from "@/lib/docs/site/search";

let dialog: HTMLDialogElement | undefined;
let search: Promise<ReturnType<typeof openSearch>> | undefined;

/** Opens the search. Loads the index at this URL on first use. */
export function openSearchDialog(index: string) {
  search ??= load(index);
  search.catch(() => {
    search = undefined;
  });
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input")?.select();
}

async function load(index: string): Promise<ReturnType<typeof openSearch>> {
  const response = await fetch(index);
  if (!response.ok) throw new Error(`The index request returned ${response.status}.`);
  return openSearch(await response.text());
}

function makeDialog(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "popup search-dialog outline-none";
  made.setAttribute("aria-label", "Search the documentation");
  const input = document.createElement("input");
  Object.assign(input, {
    type: "search",
    placeholder: "Search the documentation",
    autocomplete: "off",
    spellcheck: false,
    className:
      "min-h-12 w-full shrink-0 border-b border-line bg-transparent px-4 outline-none placeholder:text-muted",
  });
  const list = document.createElement("div");
  list.id = "search-results";
  list.className = "min-h-0 overflow-y-auto p-1";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Results");
  const note = document.createElement("p");
  note.className = "px-4 py-4 text-muted empty:hidden";
  note.setAttribute("role", "status");
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-label": "Search",
    "aria-autocomplete": "list",
    "aria-controls": list.id,
    "aria-expanded": "false",
  })) {
    input.setAttribute(name, value);
  }
  made.append(input, note, list);
  document.body.append(made);

  const show = async () => {
    const words = input.value.trim();
    let results: SearchResult[] = [];
    let problem = "Searching needs the network. Try again.";
    try {
      results = words === "" ? [] : ((await search)?.(words) ?? []);
      problem = words === "" ? "" : "Nothing found.";
    } catch {}
    if (words !== input.value.trim()) return; // a later search is running
    list.replaceChildren(...results.map(option));
    note.textContent = results.length > 0 ? "" : problem;
    input.setAttribute("aria-expanded", String(results.length > 0));
    choose(input, list, 0);
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const options = [...list.children];
    const at = options.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      choose(input, list, (at + step + options.length) % Math.max(options.length, 1));
    } else if (event.key === "Escape") {
      event.preventDefault(); // the browser would only empty the field
      made.close();
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      const chosen = options[at];
      if (chosen instanceof HTMLAnchorElement) chosen.click();
    }
  });
  list.addEventListener("click", () => made.close()); // the result may be on this page
  made.addEventListener("click", ({ target }) => {
    if (target === made) made.close();
  });
  return made;
}

function choose(input: HTMLInputElement, list: HTMLElement, index: number) {
  for (const [at, one] of [...list.children].entries()) {
    one.setAttribute("aria-selected", String(at === index));
    if (at !== index) continue;
    one.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", one.id);
  }
  if (list.children.length === 0) input.removeAttribute("aria-activedescendant");
}

function option({ id, page, title, text, terms }: SearchResult, index: number): HTMLElement {
  const link = document.createElement("a");
  link.id = `search-result-${index}`;
  link.href = id;
  link.tabIndex = -1;
  link.setAttribute("role", "option");
  link.append(
    line("block font-medium", title, terms),
    line("block text-small text-muted", title === page ? "" : page, []),
    line("line-clamp-2 text-small text-muted", excerpt(text, terms), terms),
  );
  return link;
}

function line(className: string, text: string, terms: string[]): HTMLElement {
  const made = document.createElement("span");
  made.className = `${className} empty:hidden`;
  if (terms.length === 0 || text === "") {
    made.textContent = text;
    return made;
  }
  // Terms consist of letters and digits.
  const parts = text.split(
    new RegExp(`((?<![\\p{L}\\p{N}])(?:${terms.join("|")})[\\p{L}\\p{N}]*)`, "giu"),
  );
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) made.append(part);
    else made.append(Object.assign(document.createElement("mark"), { textContent: part }));
  }
  return made;
}

const BEFORE = 60;
const LENGTH = 220;

/** The part of the text that contains the most terms. */
function excerpt(text: string, terms: string[]): string {
  const lower = text.toLowerCase();
  const places = terms.flatMap((term) => {
    const found: { term: string; at: number }[] = [];
    for (let at = lower.indexOf(term); at !== -1; at = lower.indexOf(term, at + 1)) {
      found.push({ term, at });
    }
    return found;
  });
  const score = (start: number) => {
    const near = places.filter(({ at }) => at >= start && at < start + LENGTH - BEFORE);
    return new Set(near.map(({ term }) => term)).size;
  };
  const best = places.reduce(
    (chosen, { at }) => {
      const terms = score(at);
      return terms > chosen.terms ? { at, terms } : chosen;
    },
    { at: 0, terms: 0 },
  );
  if (best.at <= BEFORE) return text.slice(0, LENGTH);
  const start = text.indexOf(" ", best.at - BEFORE) + 1;
  return `… ${text.slice(start, start + LENGTH)}`;
}
