"use client";

import { useEffect, useId, useRef } from "react";
import { AnswerFields } from "@/app/_shared/answer-fields";
import { QuestionWords } from "@/app/_shared/question-words";
import { switchAccount } from "@/app/(site)/oauth/authorize/actions";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Draft } from "@/components/ui/draft";
import { InputField } from "@/components/ui/field";
import { type Opened, openOrAnswer } from "../actions";

/** Opens a question by the token in the URL's fragment, or by the pasted link, and answers it. */
export function AnswerForm({ id }: { id: string }) {
  const input = useRef<HTMLInputElement>(null);
  const switchId = useId();
  useEffect(() => {
    const token = keptToken(id);
    if (token === undefined || !input.current || input.current.value !== "") return;
    input.current.value = token;
    input.current.form?.requestSubmit();
  }, [id]);
  return (
    <>
      <ActionForm<Opened> action={openOrAnswer} className="px-5 py-4 sm:px-6" fields={{ id }}>
        {(opened) =>
          opened ? (
            <>
              <input type="hidden" name="answer_token" value={opened.token} />
              <input type="hidden" name="tag" value={opened.tag} />
              {opened.problem && (
                <p role="alert" className="mb-3 text-failed">
                  {opened.problem}
                </p>
              )}
              <QuestionWords {...opened} />
              {opened.question.state === "open" && (
                <div className="mt-4">
                  {opened.mustSignIn ? (
                    <SignIn id={id} opened={opened} switchId={switchId} />
                  ) : (
                    <>
                      <Draft key={opened.tag} of={opened.tag} />
                      <AnswerFields question={opened.question} given={opened.given} />
                    </>
                  )}
                </div>
              )}
            </>
          ) : (
            <div className="grid gap-3">
              <InputField
                label="The link that you were given"
                ref={input}
                name="answer_token"
                required
                autoComplete="off"
                spellCheck={false}
                placeholder="https://…#ans_…"
                look="field font-mono"
              />
              <Submit className="button button-primary min-h-11">Show the question</Submit>
            </div>
          )
        }
      </ActionForm>
      <form id={switchId} action={switchAccount}>
        <input type="hidden" name="next" value={`/answer/${encodeURIComponent(id)}`} />
      </form>
    </>
  );
}

interface SignInProps {
  id: string;
  opened: Opened;
  /** The form that ends the session of a key. */
  switchId: string;
}

/** The session may have ended while the visitor was writing: `Draft` has kept their answer. */
function SignIn({ id, opened: { token, keyName }, switchId }: SignInProps) {
  useEffect(() => {
    // The link may have been pasted.
    sessionStorage.setItem(tokenName(id), token);
  }, [id, token]);
  return (
    <>
      {keyName === undefined ? (
        <a
          href={`/sign-in?next=/answer/${encodeURIComponent(id)}`}
          className="button button-primary min-h-11 w-full"
        >
          Sign in to answer
        </a>
      ) : (
        <>
          <p className="mb-3">
            You are signed in with the API key <bdi className="wrap-anywhere">{keyName}</bdi>. Only
            a person can answer.
          </p>
          <button type="submit" form={switchId} className="button button-primary min-h-11 w-full">
            Use another account
          </button>
        </>
      )}
      <p className="mt-2 text-small text-muted">
        The agent wants to know who answers. You will return here, and this tab keeps the link and
        what you wrote.
      </p>
    </>
  );
}

/** The token in the URL, which is kept for this tab while its visitor signs in. */
function keptToken(id: string): string | undefined {
  const given = /ans_[0-9A-Za-z]+/.exec(window.location.hash)?.[0];
  if (given === undefined) return sessionStorage.getItem(tokenName(id)) ?? undefined;
  sessionStorage.setItem(tokenName(id), given);
  return given;
}

function tokenName(id: string): string {
  return `answer_token:${id}`;
}
