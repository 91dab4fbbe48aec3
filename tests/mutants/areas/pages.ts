// biome-ignore-all lint/suspicious/noTemplateCurlyInString: These are parts of templates.
import { type Mutant, mutantsOf } from "../mutant";

const FORGERY = "browser/forgery";
const SESSION = "app/_shared/session.ts";
const AUTHORIZE = "api/oauth-authorize";

/** Whose forms are taken, and what a form may do. */
export const pages: readonly Mutant[] = [
  ...mutantsOf({ file: "proxy.ts", specs: [FORGERY], grep: "A form sent by another site" }, [
    {
      name: "the page of an answer takes forms of other sites",
      find: '"/((?!api(?:/|$)|_next/|',
      replace: '"/((?!api(?:/|$)|answer/|_next/|',
    },
  ]),
  ...mutantsOf(
    { file: "app/_shared/proxy.ts", specs: [FORGERY], grep: "A form sent by another site" },
    [
      {
        name: "forms of other sites are taken",
        find: "if (isForeignPost(request)) {",
        replace: 'if (pathname === "") {',
      },
      {
        name: "Sec-Fetch-Site is not read",
        find: 'if (site !== null && site !== "same-origin" && site !== "none") return true;',
        replace: "",
      },
      {
        name: "forms of sibling domains are taken",
        find: 'site !== "same-origin" && site !== "none"',
        replace: 'site !== "same-origin" && site !== "same-site" && site !== "none"',
      },
      {
        name: "forms of hidden origins are taken",
        find: "if (origin === null) return false;",
        replace: 'if (origin === null || origin === "null") return false;',
      },
      {
        name: "a server of the internet takes forms by the name that was asked for",
        find: "!(localMode && origin === `http://${host}`)",
        replace: "!(origin === `http://${host}`) && !(localMode && isPreview)",
        grep: "Over HTTPS",
      },
    ],
  ),
  ...mutantsOf({ file: SESSION, specs: [FORGERY] }, [
    {
      name: "a form of a rebound name reaches this machine",
      find: 'caller: markForeignPage(known, (await headers()).get("origin"), "form"), account',
      replace: "caller: known, account",
      grep: "A form on a rebound name",
    },
    {
      name: "a sibling domain can set the session's cookie",
      find: 'isSecure() ? "__Host-session" : "session"',
      replace: '"session"',
      grep: "Over HTTPS",
    },
    {
      name: "the session's cookie is sent with forms of other sites",
      find: 'sameSite: "lax"',
      replace: 'sameSite: "none"',
      specs: ["browser/sign-in"],
      grep: "is HttpOnly and SameSite",
    },
    {
      name: "signing in leads to another site",
      find: ' && !url.pathname.startsWith("//")',
      replace: "",
      specs: ["browser/sign-in"],
      grep: "Signing in never leads",
    },
  ]),
  ...mutantsOf(
    {
      file: "app/(dashboard)/_frame/tab-owner.tsx",
      specs: ["browser/sign-in"],
      grep: "What a tab keeps",
    },
    [
      {
        name: "drafts stay in the tab when another person signs in",
        find: "before === null || before === owner",
        replace: "true",
      },
      {
        name: "a draft ends with the session",
        find: "before === null || before === owner",
        replace: "before === null",
      },
      {
        name: "a visitor sees recent pages",
        file: "app/(dashboard)/_frame/palette.tsx",
        find: "isVisitor ? [] : recentItems()",
        replace: "recentItems()",
      },
    ],
  ),
  ...mutantsOf({ specs: ["browser/tasks-bulk"] }, [
    {
      name: "an undo that failed is forgotten",
      file: "app/(dashboard)/tasks/_components/use-bulk-change.ts",
      find: "return done.left.length < items.length ? done : undefined;",
      replace: "return done;",
      specs: ["browser/outage"],
      grep: "A change of tasks that fails",
    },
    {
      name: "each part of a selection decides whether it loses a label",
      file: "app/(dashboard)/tasks/bulk-actions.ts",
      find: "change.removes ?? ",
      replace: "",
      grep: "A selection of over a hundred",
    },
    {
      name: "their value is offered where nothing was typed",
      file: "app/(dashboard)/_shared/conflict.ts",
      find: " && isChanged(data, name),",
      replace: ",",
      specs: ["browser/edit-conflicts"],
    },
    {
      name: "a page is refused its search",
      file: "app/_shared/search-turn.ts",
      find: ", isUnderWay: true",
      replace: "",
      specs: ["fault/page-searches"],
    },
  ]),
  ...mutantsOf({ file: "app/_shared/act.ts", specs: ["api/form-access"] }, [
    {
      name: "a form sent twice acts twice",
      find: "const key = form ? digestOf([form, body, headers]) : undefined;",
      replace: "const key = form && digestOf([form, body, headers, Math.random()]);",
      specs: [FORGERY],
      grep: "A form sent twice",
    },
  ]),
  ...mutantsOf({ specs: ["browser/repeated-forms"] }, [
    {
      name: "a double-click presses what takes the place of its button",
      file: "components/ui/action-form.tsx",
      find: "if (detail < 2 ||",
      replace: "if (detail < 9 ||",
      grep: "A double-click does not press",
    },
    {
      name: "a form is another one after its response was lost",
      file: "components/ui/action-form.tsx",
      find: "if (!isUnsettled) setShown",
      replace: "setShown",
      grep: "sent again after a lost response",
    },
    {
      name: "a retry of a failing host takes what was not counted",
      file: "lib/resources/messages/listing.ts",
      find: "AND due_at IS NULL AND delivered_at >= ${since}`",
      replace: "AND ${since}::bigint > 0`",
      pages: true,
      specs: ["browser/overview-pages"],
      grep: "What needs a person is grouped",
    },
  ]),
  {
    name: "a form makes a new inbox before that is recorded",
    file: "lib/resources/webhooks/forward/operations.ts",
    find: "forwards.putToNew(caller, params.id, body, commit)",
    replace: "forwards.putToNew(caller, params.id, body, (write) => (commit, write()))",
    pages: true,
    specs: ["fault/forms-flood"],
    grep: "makes no new inbox",
  },
  ...mutantsOf({ file: "app/_shared/run-action.ts", specs: ["fault/forms-flood"] }, [
    {
      name: "forms are not counted",
      find: "await countForm(account?.sessionId ?? null, await visitorAddress());",
      replace: "void account;",
    },
    {
      name: "a form of a page that was opened before a switch acts",
      find: "owner !== ownerOf(now)",
      replace: 'ownerOf(now) === ""',
      specs: ["browser/organization-menu"],
      grep: "opened before a switch",
    },
  ]),
  ...mutantsOf({ file: "app/(site)/oauth/authorize/actions.ts", specs: [AUTHORIZE] }, [
    {
      name: "a form without a decision allows",
      find: 'if (data.get("decision") !== "allow")',
      replace: 'if (data.get("decision") === "deny")',
      grep: "A form without a decision",
    },
    {
      name: "a grant is made for any organization",
      file: "lib/identity/oauth/consent.ts",
      find: "const member = await callerOf(userId, organizationId);\n",
      replace: "",
      also: ["    await requireMember(member, tx);\n", ""],
      pages: true,
      grep: "A grant is made only",
    },
    {
      name: "a person who is being removed lets a client in",
      file: "lib/identity/oauth/consent.ts",
      find: "    await requireMember(member, tx);\n",
      replace: "",
      pages: true,
      specs: ["api/oauth-token"],
      grep: "A member who is being removed",
    },
    {
      name: "a client gets more than it asked for",
      file: "lib/identity/oauth/consent.ts",
      find: 'chosen.mayWrite ? authorization.scopes : ["api.read"]',
      replace: 'chosen.mayWrite ? ["api.read", "api.write"] : ["api.read"]',
      pages: true,
      grep: "The person may grant less",
    },
  ]),
  ...mutantsOf({ file: "app/(site)/claim/actions.ts", specs: ["browser/claim-page"] }, [
    {
      name: "a claim takes what the page has not shown",
      find: "shown.every((one) => seen.has(one))",
      replace: "shown.length > 0",
      grep: "What joins a set",
    },
    {
      name: "a pasted link claims what was not shown",
      find: "shownIds(covered).every((one) => seen.has(one))",
      replace: "true",
      grep: "Several can be claimed",
    },
    {
      name: "a claim is for any organization",
      find: "return callerOf(caller.userId, organization);",
      replace: "return { ...caller, organizationId: organization };",
      specs: ["api/form-access"],
      grep: "The claim form claims only",
    },
  ]),
  ...mutantsOf({ file: "app/(site)/answer/actions.ts", specs: ["api/questions"] }, [
    {
      name: "an answer counts for what the page did not show",
      find: '          tag: String(data.get("tag")),\n',
      replace: "",
      grep: "changed after its page was opened",
    },
  ]),
  ...mutantsOf({ file: "lib/identity/audit/activity.ts", specs: ["api/audit-log"] }, [
    {
      name: "a read-only session exports the audit log",
      find: "if (!maySeeAddresses(caller)) {\n    throw",
      replace: "if (false) {\n    throw",
      pages: true,
    },
    {
      name: "the audit log has the entries of all organizations",
      find: "organizationId: caller.organizationId,\n      columns: sql`id, actor",
      replace: "columns: sql`id, actor",
      pages: true,
    },
    {
      name: "a token of a grant opens a session",
      file: "lib/identity/sessions/visitor.ts",
      find: "if (caller.tokenExpiresAt !== undefined) {",
      replace: "if (caller.tokenExpiresAt === null) {",
      pages: true,
      specs: ["api/oauth-grants"],
      grep: "An access token cannot open",
    },
    {
      name: "a key that may not read opens a session",
      file: "lib/identity/sessions/visitor.ts",
      find: "if (!mayRead(caller)) {",
      replace: "if (!mayRead(caller) && false) {",
      pages: true,
      specs: ["api/read-only-keys"],
      grep: "A key without api.read",
    },
    {
      name: "a sign-in with a key is not in the log",
      file: "lib/identity/sessions/visitor.ts",
      find: 'await audit(tx, { action: "session.started", actor: keyId, organizationId, ip });',
      replace: "void [audit, organizationId, ip];",
      pages: true,
      grep: "exports the log",
    },
    {
      name: "an open page keeps its session alive",
      file: "lib/identity/credential.ts",
      find: "findVisitor(token, false)",
      replace: "findVisitor(token)",
      pages: true,
      specs: ["api/signals"],
      grep: "A page's stream signals",
    },
    {
      name: "a session shows what its key may not read",
      file: "lib/identity/sessions/visitor.ts",
      find: "if (!mayRead(session)) return signedOut;",
      replace: "",
      pages: true,
      specs: ["api/read-only-keys"],
      grep: "A key without api.read",
    },
    {
      name: "a session outlives its key",
      file: "lib/identity/sessions/sessions.ts",
      find: "AND NOT (${isEnded}) AND ${IS_LIVE}`",
      replace: "AND NOT (${isEnded})`",
      pages: true,
      specs: ["browser/sign-in"],
      grep: "session ends with the key",
    },
  ]),
];
