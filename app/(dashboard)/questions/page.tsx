import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, moreHref, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import { NoMatches } from "@/components/ui/no-matches";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { mayWrite } from "@/lib/platform/caller";
import * as questions from "@/lib/resources/questions/service";
import { QuestionForm } from "./_components/question-form";
import { QuestionTable } from "./_components/question-table";
import { createQuestion } from "./actions";

export const metadata: Metadata = { title: "Questions" };

export default async function QuestionsPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller } = await requireSignIn(withQuery("/questions", params));
  const creating = queryParam(params, "new") === "1";
  const q = queryParam(params, "q") || undefined;
  const list = await readShown(params, (part) => questions.list(caller, part, q));
  return (
    <ResourceIndex
      kind="questions"
      {...(q && { exported: null })}
      count={countOf(list)}
      newHref={mayWrite(caller) ? "/questions?new=1" : undefined}
      form={
        creating && (
          <QuestionForm
            action={createQuestion}
            closeHref="/questions"
            formId={crypto.randomUUID()}
          />
        )
      }
      filters={
        list.total_count !== 0 && <SearchBox label="Search questions" value={q ?? ""} keep={{}} />
      }
      isEmpty={list.total_count === 0}
      about="A question waits for a person, who approves, chooses or writes by a link, without an account."
      moreHref={moreHref("/questions", { q }, params, list)}
      live={{
        href: creating || q ? undefined : withQuery("/questions/live", { ...rangeParams(params) }),
        shown: versionTag(list),
        topic: "questions",
      }}
    >
      {list.data.length > 0 && <QuestionTable questions={list.data} />}
      {list.data.length === 0 && q && <NoMatches noun="questions" allHref="/questions" />}
    </ResourceIndex>
  );
}
