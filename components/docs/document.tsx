import type { ReactNode } from "react";
import { SiteHeader } from "@/components/site/frame";
import { Icon } from "@/components/ui/icon";

interface PageLink {
  path: string;
  title: string;
}

export interface PageGroup {
  /** Undefined for the first page, which has no heading. */
  title: string | undefined;
  pages: readonly PageLink[];
}

interface Props {
  /** Undefined for the "not found" page. */
  path: string | undefined;
  title: string;
  about: string;
  headings: readonly { depth: number; id: string; text: string }[];
  groups: readonly PageGroup[];
  previous: PageLink | undefined;
  next: PageLink | undefined;
  /** The URLs of the style sheet, the script and the typeface. */
  assets: { style: string; script: string; font: string };
}

/** Replaced by the HTML of the Markdown, which React would escape. */
export const CONTENT = "{{content}}";

/** The content of a page's head. */
export function DocsHead({ path, title, about, previous, next, assets }: Props) {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Agent Infrastructure`}</title>
      {about && <meta name="description" content={about} />}
      {path && <link rel="alternate" type="text/markdown" href={markdownOf(path)} />}
      {previous && <link rel="prev" href={previous.path} />}
      {next && <link rel="next" href={next.path} />}
      <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="" />
      <link rel="stylesheet" href={assets.style} />
      <script type="module" src={assets.script} />
    </>
  );
}

/** The content of a page's body. Everything but the search works without scripts. */
export function DocsBody({ path, headings, groups, previous, next }: Props) {
  const hasContents = headings.length > 1;
  return (
    <>
      <a href="#content" className="button absolute top-2 left-2 z-50 not-focus-visible:sr-only">
        Skip to content
      </a>
      <SiteHeader width="max-w-[84rem]" />
      <div className="docs-bar">
        <button type="button" popoverTarget="pages" className="button">
          <Icon name="docs" />
          Pages
        </button>
        {hasContents && (
          <button type="button" popoverTarget="contents" className="button">
            On this page
          </button>
        )}
        <button
          type="button"
          data-search
          hidden
          aria-label="Search the documentation"
          className="button ml-auto"
        >
          <Icon name="search" />
        </button>
      </div>
      <div className="docs">
        <nav id="pages" popover="auto" aria-label="Documentation" className="docs-list docs-pages">
          <button
            type="button"
            data-search
            hidden
            title="Search the documentation (/ or Ctrl K)"
            className="button mb-4 w-full justify-start font-normal text-muted max-lg:hidden"
          >
            <Icon name="search" />
            Search
            <kbd className="ml-auto font-mono text-small">Ctrl K</kbd>
          </button>
          {groups.map(({ title: group, pages }) => (
            <PageList key={group ?? ""} title={group} pages={pages} current={path} />
          ))}
        </nav>
        <main id="content" className="docs-main" tabIndex={-1}>
          <article className="prose">{CONTENT}</article>
          <footer className="mt-14 border-t border-line pt-5">
            <nav aria-label="Next and previous" className="flex flex-wrap justify-between gap-4">
              {previous ? <Turn page={previous} word="Previous" /> : <span />}
              {next && <Turn page={next} word="Next" />}
            </nav>
            {path && (
              <p className="mt-6 text-small text-muted">
                <a href={markdownOf(path)} className="link">
                  This page as Markdown
                </a>
              </p>
            )}
          </footer>
        </main>
        {hasContents && (
          <nav
            id="contents"
            popover="auto"
            aria-label="On this page"
            className="docs-list docs-list-right docs-contents"
          >
            <h2>On this page</h2>
            <ul>
              {headings.map(({ depth, id, text }) => (
                <li key={id} className={`depth-${depth}`}>
                  <a href={`#${id}`}>{text}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </>
  );
}

function markdownOf(path: string): string {
  return path === "/docs" ? "/docs/index.md" : `${path}.md`;
}

function PageList({ title, pages, current }: PageGroup & { current: string | undefined }) {
  return (
    <>
      {title && <h2>{title}</h2>}
      <ul>
        {pages.map(({ path, title: name }) => (
          <li key={path}>
            <a href={path} aria-current={path === current ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Turn({ page, word }: { page: PageLink; word: "Previous" | "Next" }): ReactNode {
  return (
    <a href={page.path} rel={word === "Next" ? "next" : "prev"} className="group grid">
      <span className="text-small text-muted">{word}</span>
      <span className="link">{page.title}</span>
    </a>
  );
}
