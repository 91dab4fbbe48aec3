import type { KindDescription } from "@/lib/resources/kind";

export const questionKind = {
  name: "questions",
  title: "Questions",
  noun: "question",
  description: "Questions to a person, who answers by a link without an account.",
  icon: "M2 2.5h12v9H7l-3 2.5v-2.5H2zM6.3 5.6a1.7 1.7 0 1 1 2.4 1.5c-.5.3-.7.5-.7 1.1M8 9.6v.1",
  prefix: "qst",
  model: "Question",
  table: "questions",
  madeFor: [],
  parts: [],
  volatile: [],
  onCreates: ["answer_url"],
  longText: "context",
  first: {
    title: "Ask a person",
    text: "A yes, a choice or a sentence, answered by a link with one tap.",
    button: "Ask this question",
    body: { prompt: "Deploy version 2?", kind: "approve" },
  },
} as const satisfies KindDescription;
