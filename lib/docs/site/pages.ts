import path from "node:path";
import { slugOf, tags } from "@/lib/api/tags";
import { documentGroups } from "@/lib/docs/contents";
import type { Operation } from "@/lib/platform/http/operation";
import { errorsPage } from "./errors";
import { sentence } from "./fields";
import { type Image, type RenderedPage, renderMarkdown } from "./markdown";
import { referenceOverview, referencePage } from "./reference";
import type { SearchEntry } from "./search";

export interface Page extends RenderedPage {
  /** `/docs/tasks` */
  path: string;
  title: string;
  about: string;
  /** The title of its group; undefined for the first page. */
  group: string | undefined;
  markdown: string;
}

type Source = Omit<Page, keyof RenderedPage> & {
  /** The file that its relative links are relative to. */
  file: string;
};

/** Access to the files of the repository. */
export interface Files {
  read(file: string): string;
  imageSize(file: string): { width: number; height: number };
}

/** Every page of /docs, in the order of the sidebar. */
export function buildPages(files: Files, operations: readonly Operation[]): Page[] {
  const pages = sources(files, operations);
  const addresses = new Map(
    pages.flatMap(({ file, path }) => [
      [file, path],
      [`${path}.md`, path],
    ]),
  );
  addresses.set("README.md", "/docs");
  return pages.map(({ file, ...page }) => ({
    ...page,
    ...renderMarkdown(page.markdown, {
      link: (href) => addressOf(href, file, addresses),
      image: (src) => imageAt(src, file, files),
    }),
  }));
}

/** The entries of the search: every section of every page. */
export function searchEntries(pages: readonly Page[]): SearchEntry[] {
  return pages.flatMap(({ path, about, sections }) => {
    const title = sections[0]?.heading.text ?? "";
    return sections.map(({ heading, text }) => {
      const isTop = heading.depth === 1;
      const id = isTop ? path : `${path}#${heading.id}`;
      return { id, page: title, title: heading.text, text: isTop ? `${about} ${text}` : text };
    });
  });
}

function sources(files: Files, operations: readonly Operation[]): Source[] {
  const all = documentGroups.flatMap(({ title: group, pages }) =>
    pages.map(({ slug, about, file }): Source => {
      const markdown = files.read(file);
      const title = /^# (.*)$/m.exec(markdown)?.[1] ?? file;
      return { path: `/docs/${slug}`, title, about, group, file, markdown };
    }),
  );
  const reference = [
    generated("reference", "Overview", "Every operation.", referenceOverview(operations)),
    ...tags.map((tag) =>
      generated(
        `reference/${slugOf(tag.name)}`,
        tag.name,
        tag.description,
        referencePage(tag, operations),
      ),
    ),
    generated(
      "errors",
      "Errors",
      "Every error code, its meaning and what to do about it.",
      errorsPage(operations),
    ),
  ];
  const project = all.findIndex(({ group }) => group === "Project");
  all.splice(project, 0, ...reference);
  return [overview(all), ...all];
}

function generated(slug: string, title: string, about: string, markdown: string): Source {
  return {
    path: `/docs/${slug}`,
    title,
    about,
    group: "Reference",
    file: `/docs/${slug}.md`,
    markdown,
  };
}

/** The first page: what the service is, and a list of all other pages. */
function overview(pages: readonly Source[]): Source {
  const groups = [...new Set(pages.map(({ group }) => group))].map((group) => {
    const links = pages
      .filter((page) => page.group === group)
      .map(({ path, title, about }) => `- [${title}](${path}.md): ${sentence(about)}`);
    return `## ${group}\n\n${links.join("\n")}\n`;
  });
  return {
    path: "/docs",
    title: "Documentation",
    about: "Tasks, webhooks, documents, delayed requests and work queues for AI agents.",
    group: undefined,
    file: "/docs/index.md",
    markdown: `# Documentation

Tasks, webhook capture, documents, delayed requests and work queues for AI agents, in one HTTP call each.
No account is needed to start:

\`\`\`sh
curl http://localhost:3000/api/tasks -d '{"name": "Write the report", "priority": "high"}'
\`\`\`

The response has a link with which a person claims the task. With [a key](accounts.md) it belongs to
your organization from the start. Every page is also Markdown: add \`.md\` to its address.

${groups.join("\n")}`,
  };
}

/** The address of a link on the site; undefined if its target is not a page. */
function addressOf(href: string, from: string, addresses: ReadonlyMap<string, string>) {
  if (/^(?:#|https?:|mailto:)/.test(href)) return href;
  const [target = "", fragment] = href.split("#");
  const file = path.posix.join(target.startsWith("/") ? "/" : path.posix.dirname(from), target);
  const page = addresses.get(file);
  if (page !== undefined) return fragment === undefined ? page : `${page}#${fragment}`;
  return target.startsWith("/") && !target.startsWith("/docs") ? href : undefined;
}

function imageAt(src: string, from: string, files: Files): Image {
  const file = path.posix.join(path.posix.dirname(from), src);
  return { src: `/${file}`, ...files.imageSize(file) };
}
