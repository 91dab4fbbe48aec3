import type { Metadata } from "next";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import * as questions from "@/lib/resources/questions/service";
import { QuestionForm } from "./_components/question-form";
import { QuestionTable } from "./_components/question-table";

export const metadata: Metadata = { title: "Questions" };

export default indexPage({
  kind: "questions",
  searched: "questions",
  about: "A question asks a person to approve, choose or write, on a page that needs no account.",
  async read(caller, params, words) {
    const list = await readShown(caller, params, (part) => questions.list(caller, part, words));
    return { list, version: versionTag(list), table: <QuestionTable questions={list.data} /> };
  },
  form: (closeHref) => <QuestionForm closeHref={closeHref} />,
});
