/** Adds search, copy buttons, tabs and the reading position to a page of /docs. */

const loadSearch = () => import("./search-dialog");

/** The storage key of the tab title that the reader chose last, on any page. */
const CHOICE = "docs-example";
let choice = "";

addCopyButtons();
for (const group of document.querySelectorAll<HTMLElement>(".tabs")) makeTabs(group);
followReader();

for (const button of document.querySelectorAll<HTMLElement>("[data-search]")) {
  button.hidden = false;
  button.addEventListener("click", openSearch);
  button.addEventListener("pointerenter", loadSearch, { once: true });
  const keys = button.querySelector("kbd");
  if (keys && /Mac|iPhone|iPad/.test(navigator.platform)) keys.textContent = "⌘K";
}
document.addEventListener("keydown", (event) => {
  const isShortcut = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k";
  const isSlash = event.key === "/" && !event.metaKey && !event.ctrlKey && !event.altKey;
  if (!isShortcut && !(isSlash && !isTyping(event))) return;
  event.preventDefault();
  void openSearch();
});

async function openSearch() {
  const { openSearchDialog } = await loadSearch();
  openSearchDialog(document.documentElement.dataset.index ?? "");
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("input, textarea, select, dialog") !== null;
}

function addCopyButtons() {
  for (const figure of document.querySelectorAll<HTMLElement>(".code")) {
    figure.querySelector("figcaption")?.append(copyButton(figure));
  }
}

function copyButton(within: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-button";
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const code = within.querySelector(".code:not([hidden]) code, :scope > pre code");
    const copied = navigator.clipboard.writeText(code?.textContent ?? "");
    button.textContent = await copied.then(
      () => "Copied",
      () => "Not allowed",
    );
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  return button;
}

function makeTabs(group: HTMLElement) {
  const blocks = [...group.querySelectorAll<HTMLElement>(":scope > .code")];
  const bar = document.createElement("div");
  const list = document.createElement("div");
  bar.className = "tab-list";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Example in");
  const base = `tabs-${[...document.querySelectorAll(".tabs")].indexOf(group)}`;
  const buttons = blocks.map((block, index) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.id = `${base}-${index}`;
    tab.textContent = block.dataset.title ?? "";
    tab.setAttribute("role", "tab");
    block.setAttribute("role", "tabpanel");
    block.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", () => {
      remember(tab.textContent ?? "");
      const before = group.getBoundingClientRect().top;
      for (const other of document.querySelectorAll<HTMLElement>(".tabs")) showChosen(other);
      window.scrollBy(0, group.getBoundingClientRect().top - before);
    });
    return tab;
  });
  list.append(...buttons);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at === -1) return;
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next?.click();
    next?.focus();
  });
  bar.append(list, copyButton(group));
  group.prepend(bar);
  group.dataset.on = "";
  showChosen(group);
}

function showChosen(group: HTMLElement) {
  const blocks = [...group.querySelectorAll<HTMLElement>(":scope > .code")];
  const wanted = remembered();
  const chosen = blocks.find(({ dataset }) => dataset.title === wanted) ?? blocks[0];
  const tabs = group.querySelectorAll<HTMLElement>("[role=tab]");
  for (const [index, block] of blocks.entries()) {
    block.hidden = block !== chosen;
    tabs[index]?.setAttribute("aria-selected", String(block === chosen));
    tabs[index]?.setAttribute("tabindex", block === chosen ? "0" : "-1");
  }
}

function remember(title: string) {
  choice = title;
  try {
    localStorage.setItem(CHOICE, title);
  } catch {} // storage may be blocked
}

function remembered(): string {
  try {
    return choice || (localStorage.getItem(CHOICE) ?? "");
  } catch {
    return choice;
  }
}

/** Highlights the section in view, and closes the list of sections when one is chosen. */
function followReader() {
  const contents = document.getElementById("contents");
  if (!contents) return;
  contents.addEventListener("click", ({ target }) => {
    if (target instanceof HTMLAnchorElement && contents.matches(":popover-open")) {
      contents.hidePopover();
    }
  });
  const links = [...contents.querySelectorAll<HTMLAnchorElement>("a")];
  const headings = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1))),
  );
  const mark = () => {
    const at = headings.findLastIndex(
      (heading) => heading && heading.getBoundingClientRect().top < 120,
    );
    for (const [index, link] of links.entries()) {
      if (index === at) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    }
  };
  let isWaiting = false;
  const soon = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  addEventListener("scroll", soon, { passive: true });
  mark();
}
