// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

/** Who may answer a question, with what, and how often; and who is notified. */
export const questions: readonly Mutant[] = [
  ...mutantsOf({ file: "lib/resources/questions/answer.ts", specs: ["api/questions"] }, [
    {
      name: "a second answer counts",
      find: "WHERE id = ${row.id} AND ${IS_OPEN} AND revision = ${row.revision}",
      replace: "WHERE id = ${row.id} AND (true OR ${IS_OPEN}) AND revision >= ${row.revision}",
      grep: "Of simultaneous answers",
    },
    {
      name: "an answer counts for what the question was",
      find: "AND ${IS_OPEN} AND revision = ${row.revision}\n",
      replace: "AND ${IS_OPEN}\n",
      grep: "a changed one takes none",
    },
    {
      name: "a key answers",
      find: 'if (caller.kind === "key") {',
      replace: 'if (caller.kind === "key" && false) {',
      grep: "cannot answer itself",
    },
    {
      name: "any token answers",
      find: "if (isSameSecret(digestOf(token), row.answer_token_digest)) return;",
      replace: "if (isSameSecret(token, token)) return;",
      grep: "link|What cannot be",
    },
    {
      name: "wrong tokens of questions are not counted",
      find: "await countWrongToken(client);",
      specs: ["fault/questions-guesses"],
    },
    {
      name: "a public question is answered without its token",
      find: 'caller.kind === "anonymous" || row.organization_id === null',
      replace: "false",
      grep: "cannot answer itself",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/notices/question-notices.ts", specs: ["fault/notices"] }, [
    {
      name: "emails about questions have no limit",
      find: "cardinality(setting.question_mails) < ${QUESTION_MAILS_MAX}",
      replace: "true",
      grep: "of each question once",
    },
    {
      name: "a refused email about questions is tried at once, until the hour has no more",
      find: "trim_array(question_mails, 1) || (unix_now() + ${pause}::bigint)",
      replace: "trim_array(question_mails, 1) || (unix_now() + 0 * ${pause}::bigint)",
      grep: "of each question once",
    },
    {
      name: "a question is in two emails once others are answered",
      find: "cardinality(setting.reported_questions) < ${QUESTIONS_MAX}",
      replace: "true",
      grep: "Of more open questions",
    },
    {
      name: "all members are recorded as told before the first is",
      find: "AND setting.id = ${settingId} FOR",
      replace: "AND setting.id <> ${settingId} || 'x' FOR",
      grep: "After a crash during one member",
    },
    {
      name: "two servers tell of one question",
      find: "AND NOT newest.open <@ setting.reported_questions",
      replace: "AND cardinality(newest.open) > 0",
      grep: "of each question once",
    },
  ]),
  ...mutantsOf(
    { file: "lib/resources/notices/send.ts", specs: ["fault/notices"], grep: "each digest once" },
    [
      {
        name: "a digest comes more than once an hour",
        find: "{ pause: HOUR_SECONDS, isSent: true }",
        replace: "{ pause: 0, isSent: true }",
      },
      {
        name: "a digest that the mail server refuses is lost",
        find: "(pause) => undo(setting, dueAt, pause)",
        replace: "async () => {}",
      },
      {
        name: "digests are sent after a restore",
        find: "WHERE due_at <= unix_now() AND NOT ${DISPATCH_IS_OFF}",
        replace: "WHERE due_at <= unix_now()",
      },
    ],
  ),
  ...mutantsOf({ file: "lib/resources/questions/rules.ts", specs: ["api/questions"] }, [
    {
      name: "any text answers a choice",
      find: "if (allowed.some((one) => one === given)) return given;",
      replace: "if (allowed.length > 0) return given;",
      grep: "What cannot be a question",
    },
    {
      name: "any object answers a form",
      find: "z.object({ answer: answersTo(form) })",
      replace: "z.object({ answer: answersTo(form).loose().partial() })",
      specs: ["api/questions-form"],
    },
  ]),
  ...mutantsOf({ file: "lib/resources/questions/service.ts", specs: ["api/questions"] }, [
    {
      name: "a sweep ends questions before their time",
      find: "WHERE state = 'open' AND expires_at <= unix_now()\n      ORDER BY",
      replace: "WHERE state = 'open'\n      ORDER BY",
      specs: ["fault/sweep"],
      grep: "One sweep",
    },
    {
      name: "a question that has ended can be changed",
      find: "assertUpdatable: assertOpen,\n  where: IS_OPEN,",
      grep: "expires says so",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/questions/answer.ts", specs: ["api/questions"] }, [
    {
      name: "who has the link answers what requires a sign-in",
      find: 'if (row.require_sign_in && caller.kind === "anonymous") {',
      replace: "if (false) {",
      grep: "takes no answer by its link alone",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/questions/documents.ts", specs: ["api/questions"] }, [
    {
      name: "a stranger reads on what belongs to a question that was claimed",
      find: "forLink ? signatureOf(`question-${part}`, id) : UNSIGNED",
      replace: "signatureOf(`question-${part}`, id)",
      grep: "After a claim only the link",
      pages: true,
    },
    {
      name: "the link of a question that has ended shows what its document says now",
      find: "ownArtifact(forLink ? shownQuestion(question) : question)",
      replace: "ownArtifact(question)",
      grep: "while it is open, and its owner",
      pages: true,
    },
    {
      name: "the link of a question that has ended shows what its task is called now",
      file: "lib/resources/questions/serialize.ts",
      find: "task_id: null, artifact_id: null",
      replace: "artifact_id: null",
      grep: "while it is open, and its owner",
      pages: true,
    },
  ]),
  {
    name: "a public question is swept while it is still open",
    file: "lib/resources/questions/service.ts",
    find: "lastUsedAt: sql`CASE WHEN state = 'open' THEN unix_now() ELSE updated_at END`",
    replace: "lastUsedAt: sql`updated_at`",
    specs: ["api/unclaimed"],
    grep: "A public question",
  },
  ...mutantsOf({ file: "lib/resources/questions/rules.ts", specs: ["api/questions-tasks"] }, [
    {
      name: "a question refers to what another owner has",
      find: "if (owner === organizationOf(caller)) return;",
      replace: "if (owner !== undefined) return;",
      grep: "Only resources of one owner",
    },
    {
      name: "the reply of a question can be changed",
      find: "if (given === undefined || JSON.stringify(given) === JSON.stringify(current)) return;",
      replace: "if (given === undefined || current !== undefined) return;",
      specs: ["api/questions-reply"],
      grep: "A reply goes only to",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/questions/reply.ts", specs: ["api/questions-reply"] }, [
    {
      name: "a question replies to any address",
      find: 'if (to?.url !== undefined) assertReachable(caller, to.url, "reply_to.url");',
      specs: ["fault/foreign-pages"],
      grep: "cannot make the service send",
    },
    {
      name: "a claimer signs what a stranger made of a question",
      find: "changed_without_token: row.changed_without_token,",
      specs: ["fault/claims"],
      grep: "A claim holds the reply",
    },
    {
      name: "a reply after a claim is sent with what a stranger made of the question",
      file: "lib/resources/messages/enqueue.ts",
      find: "CASE WHEN organization_id IS NULL OR NOT changed_without_token THEN unix_now() END",
      replace: "unix_now()",
      specs: ["fault/claims"],
      grep: "A claim holds the reply",
    },
    {
      name: "a single claim of a question leaves its reply to everyone",
      find: "question_id: id,",
      specs: ["api/claim-closes"],
      grep: "A single claim of a question",
    },
    {
      name: "a question replies to any inbox",
      find: "await assertInboxOwner(caller, organizationOf(caller), to.inbox_id, INBOX, db);",
      grep: "A reply goes only to",
    },
    {
      name: "a question replies twice",
      find: "data: { replied_at: row.now } });",
      replace: "data: { replied_at: null } });",
      grep: "hears every end of it once",
    },
    {
      name: "a reply that a full inbox does not take is lost",
      find: 'if (outcome === "full") return false;',
      grep: "An answer is never refused for a full inbox",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/questions/form.ts", specs: ["api/questions-form"] }, [
    {
      name: "a form has any number of fields",
      find: "names.length > FIELDS_MAX",
      replace: "names.length > FIELDS_MAX * 10",
    },
    {
      name: "a form has any number of choices",
      find: "choices > ALL_CHOICES_MAX &&",
      replace: "choices > ALL_CHOICES_MAX * 10 &&",
    },
    {
      name: "a form may require a field that it lacks",
      find: "if (unknown !== -1) {",
      replace: "if (unknown !== -1 && names.length === 0) {",
    },
    {
      name: "a form has a field that no answer can have",
      find: 'if (Object.hasOwn(Object(value.properties), "__proto__")) {',
      replace: "if (false) {",
    },
    {
      name: "a form that no answer fits is taken",
      find: "if (least > most) return",
      replace: "if (least > most * 1000) return",
    },
    {
      name: "a choice is there twice",
      find: "if (again === -1) return;",
      replace: "if (again < value.length) return;",
    },
    {
      name: "an answer has any format",
      find: "return format ? bounded.check((context) => assertFormat(format, context)) : bounded;",
      replace: "return bounded;",
    },
    {
      name: "an answer has any size",
      find: "return bounded.min(minimum).max(maximum);",
      replace: "return bounded;",
    },
    {
      name: "a required field is left out",
      find: "return [key, required.includes(key) ? schema : schema.optional()];",
      replace: "return [key, required.length < 0 ? schema : schema.optional()];",
    },
  ]),
  ...mutantsOf({ file: "lib/api/mcp/ask-person.ts", specs: ["api/mcp-ask"] }, [
    {
      name: "another caller goes on with a question of MCP",
      file: "lib/api/mcp/sealed.ts",
      find: 'caller.kind === "anonymous" ? "" : caller.organizationId',
      replace: 'caller.kind === "anonymous" ? "" : ""',
      grep: "no other caller goes on with it",
    },
    {
      name: "a client's user approves what they have not seen",
      find: "ifMatch: tag",
      grep: "changed while the user read it",
    },
    {
      name: "a client's user is asked instead of signing in",
      find: "if (!session.takesForms || question.require_sign_in) return",
      replace: "if (!session.takesForms) return",
      grep: "instead of signing in",
    },
    {
      name: "an answer that cannot be taken for now loses the link",
      find: "return withLink(asked, passed);",
      replace: "return passed;",
      grep: "cannot be taken for now",
    },
    {
      name: "a client without forms is sent one",
      find: 'isObject(elicitation) && ("form" in elicitation || !("url" in elicitation))',
      replace: "isObject(elicitation) || elicitation === undefined",
      grep: "nobody is asked in a client without elicitation",
    },
    {
      name: "a repeat of a call asks its user again",
      find: 'if (question.state !== "open") return outcomeOf(asked, session);',
      grep: "does not ask again",
    },
    {
      name: "a user who declines has answered",
      find: 'if (reply.kind !== "elicit" || reply.action !== "accept") return undefined;',
      replace: 'if (reply.kind !== "elicit") return undefined;',
      grep: "declined, canceled or answered wrongly",
    },
  ]),
  ...mutantsOf({ file: "app/_shared/form-values.ts", specs: ["api/questions-form"] }, [
    {
      name: "a field of a form has what every object has",
      find: "Object.hasOwn(answer, key) ? answer[key] : undefined",
      replace: "answer[key]",
      grep: "A page shows nothing",
    },
    {
      name: "a whole number has to have a fraction",
      file: "app/_shared/form-fields.tsx",
      find: "min && Math.ceil(min)",
      replace: "min",
      grep: "A page shows nothing",
    },
    {
      name: "a question is answered without the task that it is about",
      file: "app/(dashboard)/dashboard/_components/waiting-questions.tsx",
      find: "    task_id === null &&\n",
      specs: ["browser/questions"],
      grep: "what waits for a person",
    },
  ]),
  ...mutantsOf({ file: "lib/resources/claims/set.ts", specs: ["api/claims"] }, [
    {
      name: "a claim locks questions after the inboxes that hear of them",
      find: "await lockClaimed(digest, db);",
      grep: "do not deadlock",
    },
  ]),
];
