/** Adds search, copy buttons, the chosen language and the reading position to a page of /docs. */

const loadSearch = () => import("./search-dialog");

/** The storage key of the language of examples that the reader chose last, on any page. */
const CHOICE = "docs-example";

addCopyButtons();
keepChoice();
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

function copyButton(figure: HTMLElement): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "code-button";
  button.textContent = "Copy";
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    const copied = navigator.clipboard.writeText(figure.querySelector("code")?.textContent ?? "");
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

/** Shows the examples of the whole page, and of later ones, in the language that the reader chooses. */
function keepChoice() {
  const examples = [...document.querySelectorAll<HTMLInputElement>(".radio-tabs input")];
  const choose = (language: string | null) => {
    for (const one of examples) if (one.value === language) one.checked = true;
  };
  for (const one of examples) {
    one.addEventListener("change", () => {
      const before = one.getBoundingClientRect().top;
      choose(one.value);
      window.scrollBy(0, one.getBoundingClientRect().top - before);
      try {
        localStorage.setItem(CHOICE, one.value);
      } catch {} // storage may be blocked
    });
  }
  try {
    choose(localStorage.getItem(CHOICE));
  } catch {}
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
