import type { Metadata } from "next";
import { queryParam, withQuery } from "@/app/_shared/query";
import { questionStateWord } from "@/app/_shared/question-state";
import { indexPage } from "@/app/(dashboard)/_shared/index-page";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { Pills } from "@/components/ui/pills";
import { versionTag } from "@/lib/platform/http/conditional";
import { questionStates } from "@/lib/resources/questions/contract";
import * as questions from "@/lib/resources/questions/service";
import { readState } from "./_components/list-state";
import { QuestionForm } from "./_components/question-form";
import { QuestionTable } from "./_components/question-table";

export const metadata: Metadata = { title: "Questions" };

export default indexPage({
  kind: "questions",
  searched: "questions",
  about: "A question asks a person to approve, choose or write, on a page that needs no account.",
  filterOf(params) {
    const { state, misread } = readState(params);
    return { filter: { state }, misread };
  },
  async read(caller, params, words) {
    const { state } = readState(params);
    const list = await readShown(caller, params, (part) =>
      questions.list(caller, { ...part, state }, words),
    );
    return {
      list,
      version: versionTag(list),
      table: <QuestionTable questions={list.data} state={state} />,
    };
  },
  filters(params) {
    const { state } = readState(params);
    return (
      <Pills
        label="State"
        pills={[undefined, ...questionStates].map((one) => ({
          name: one ? questionStateWord(one) : "All",
          href: withQuery("/questions", { state: one, q: queryParam(params, "q") }),
          chosen: one === state,
        }))}
      />
    );
  },
  form: (closeHref) => <QuestionForm closeHref={closeHref} />,
});
