import { type Mutant, mutantsOf } from "../mutant";

/** What a Markdown document may contain. */
export const sanitizer: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/resources/artifacts/markdown.ts", specs: ["unit/markdown"] }, [
    {
      name: "nothing is sanitized",
      find: "return sanitize(fromParse5(parseFragment(html)), ALLOWED);",
      replace: "return fromParse5(parseFragment(html));",
    },
    {
      name: "scripts are allowed",
      find: '"small span strong',
      replace: '"script small span strong',
    },
    {
      name: "frames are allowed",
      find: '..."figcaption figure',
      replace: '..."iframe figcaption figure',
    },
    {
      name: "forms are allowed",
      find: '..."figcaption figure',
      replace: '..."form button figcaption figure',
    },
    {
      name: "styles are allowed",
      find: '"*": [',
      replace: '"*": [\n      "style",',
    },
    {
      name: "a language is any text",
      find: '["lang", /^[\\w-]{1,35}$/]',
      replace: '"lang"',
    },
    {
      name: "a direction is any text",
      find: '["dir", /^(ltr|rtl|auto)$/i]',
      replace: '"dir"',
    },
    {
      name: "handlers of events are allowed",
      find: 'img: ["alt",',
      replace: 'img: ["onError", "alt",',
    },
    {
      name: "any class is allowed in code",
      find: '[["className", /^language-[\\w+#.-]{1,40}$/]]',
      replace: '["className"]',
    },
    {
      name: "any input is allowed",
      find: 'required: { input: { disabled: true, type: "checkbox" } },',
      reason: "The attributes of an input allow these two values and no others.",
    },
    {
      name: "an input may be enabled",
      find: '["disabled", true]',
      replace: '["disabled", false]',
      reason: "`required` adds it again.",
    },
    {
      name: "links may have any protocol",
      find: 'href: ["http", "https", "mailto"]',
      replace: 'href: ["http", "https", "mailto", "javascript", "data", "vbscript"]',
      reason: "`finishLink` drops them too.",
    },
    {
      name: "a link of any protocol is kept",
      find: "if (!/^(https?:\\/\\/|mailto:)/i.test(href)) delete properties.href;",
      replace: "if (false) delete properties.href;",
    },
    {
      name: "images may come over plain HTTP",
      find: 'src: ["https", "data"]',
      replace: 'src: ["http", "https", "data"]',
      reason: "`finishImage` and `replaceImage` drop them too.",
    },
    {
      name: "an image may be SVG",
      find: "data:image\\/(png|gif",
      replace: "data:image\\/(svg\\+xml|png|gif",
    },
    {
      name: "the text of scripts and styles is shown",
      find: '"script", "style", "template"',
      replace: '"template"',
    },
    {
      name: "an ID is clobbered",
      find: "Number(/^h([1-6])$/",
      replace: "Number(/^h([2-7])$/",
    },
    {
      name: "a part of a page has IDs",
      find: "delete properties.id;",
    },
    {
      name: "a part of a page loads images",
      find: 'if (child.tagName === "img") replaceImage(child, isInLink);',
    },
    {
      name: "a part of a page nests without end",
      find: 'if (depth > DEPTH_MAX) throw new Error("The elements nest too deeply.");',
    },
    {
      name: "a part of a page has any number of elements",
      find: 'if (nodes > PART_NODES_MAX) throw new Error("There are too many elements.");',
    },
    {
      name: "attributes that each block repeats have any length",
      find: 'if (size.characters > charactersMax) throw new Error("There are too many characters.");',
    },
    {
      name: "attributes of a document that each block repeats have any length",
      find: "  sizeOf(tree, CHARACTERS_MAX, ({ length }) => length);\n",
    },
    {
      name: "a linked page knows where the reader came from",
      find: 'rel: ["noopener", "noreferrer", "nofollow"]',
      replace: 'rel: ["nofollow"]',
    },
    {
      name: "comments are kept",
      find: "allowComments: false",
      replace: "allowComments: true",
    },
  ]),
];
