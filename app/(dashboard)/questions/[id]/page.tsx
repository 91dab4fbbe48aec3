import { AnswerFields } from "@/app/_shared/answer-fields";
import { withQuery } from "@/app/_shared/query";
import { QuestionState } from "@/app/_shared/question-state";
import { QuestionWords } from "@/app/_shared/question-words";
import {
  openPage,
  type ResourcePage,
  readOnce,
  resourceMetadata,
  titleOf,
} from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { SwitchAccount } from "@/app/(site)/oauth/_components/switch-account";
import { ActionForm } from "@/components/ui/action-form";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { Confirm } from "@/components/ui/confirm";
import { DeleteButton } from "@/components/ui/delete-button";
import { Draft } from "@/components/ui/draft";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { CopyCall, EditLink, Pane } from "@/components/ui/pane";
import { ResourceFacts } from "@/components/ui/resource-facts";
import { Section } from "@/components/ui/section";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { listMembers } from "@/lib/identity/organizations/organization";
import { versionTag } from "@/lib/platform/http/conditional";
import { aboutOf } from "@/lib/resources/questions/documents";
import * as questions from "@/lib/resources/questions/service";
import { stableTag } from "@/lib/resources/version";
import { readState } from "../_components/list-state";
import { QuestionForm } from "../_components/question-form";
import { answerQuestion, deleteQuestion, withdrawQuestion } from "../actions";

export const generateMetadata = resourceMetadata;

export default async function QuestionPage(props: ResourcePage) {
  const { id, search, caller, account, canWrite, ...page } = await openPage(props);
  const here = `/questions/${id}`;
  const [question, members] = await readOrNotFound(withQuery(here, search), () =>
    Promise.all([readOnce(questions.get, caller, id), listMembers(caller)]),
  );
  const { state } = readState(search);
  const kept = withQuery(here, { state });
  const closeHref = account ? withQuery("/questions", { state }) : undefined;
  const about = await aboutOf(question, { forLink: false });
  const isOpen = question.state === "open";
  const mayAnswer = caller.kind === "user" && question.organization_id !== null;
  const isAnswering = isOpen && mayAnswer;
  const isEditing = page.isEditing && isOpen;
  const tag = stableTag(question);
  const asker = question.organization_id && account ? account.organization.name : null;
  const member = members.find(({ user_id }) => user_id === question.answered_by);
  return (
    <AutoRefresh
      // Never while the user may be typing. A question that they may answer as they read it changes only by its end.
      href={isEditing ? undefined : `${here}/${isAnswering ? "state" : "live"}`}
      shown={isAnswering ? question.state : versionTag(question)}
      keepsInput={isAnswering}
    >
      <Pane
        label="Question"
        title={titleOf(question)}
        state={<QuestionState question={question} />}
        id={id}
        closeHref={closeHref}
        form={isEditing ? <QuestionForm closeHref={kept} question={question} /> : undefined}
        primary={canWrite && isOpen && <EditLink href={withQuery(here, { state, edit: 1 })} />}
        more={
          <>
            {canWrite && isOpen && (
              <Confirm
                label="Withdraw"
                title="Withdraw this question?"
                consequence="Nobody can answer it anymore. This cannot be undone."
                confirm="Withdraw question"
                action={withdrawQuestion}
                fields={{ id }}
                successMessage="Withdrawn"
              />
            )}
            <CopyCall path={`questions/${id}`} of={question} />
            {canWrite && (
              <DeleteButton
                noun="question"
                consequence="Its link stops working, and its answer is removed. This cannot be undone."
                action={deleteQuestion}
                fields={{ id, back: closeHref ?? "" }}
              />
            )}
          </>
        }
      >
        <Section title="Question">
          <div className="max-w-[40rem]">
            <QuestionWords
              question={question}
              about={about}
              asker={asker}
              answeredBy={member?.user.email ?? undefined}
              hasFacts
              isTitled={asker !== null && titleOf(question) === question.prompt}
            />
            {isOpen && caller.kind === "key" && question.organization_id !== null && (
              <div className="mt-4">
                <p>You are signed in with an API key. Only a person can answer.</p>
                <SwitchAccount here={here} />
              </div>
            )}
            {mayAnswer && (
              // Rendered even without fields, because it shows why the last answer was refused.
              <ActionForm action={answerQuestion} className="mt-4" fields={{ id, tag }}>
                {isOpen && (
                  <>
                    <UnsavedGuard />
                    <Draft key={tag} of={`answer ${tag}`} />
                    <AnswerFields question={question} />
                  </>
                )}
              </ActionForm>
            )}
          </div>
        </Section>
        <div className="mt-6">
          <Facts>
            {about.task && (
              <Fact name="Task">
                <Link href={`/tasks/${about.task.id}`} className="link wrap-anywhere">
                  {about.task.name}
                </Link>
              </Fact>
            )}
            <ResourceFacts of={question} />
          </Facts>
        </div>
      </Pane>
    </AutoRefresh>
  );
}
