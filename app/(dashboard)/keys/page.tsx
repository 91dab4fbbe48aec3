import type { Metadata } from "next";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { requireSignIn } from "@/app/_shared/session";
import { countOf, nextRange, rangeOf, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { BufferedView } from "@/components/ui/buffered-view";
import { Chips } from "@/components/ui/chips";
import { curl } from "@/components/ui/curl";
import { ExportLink } from "@/components/ui/export-link";
import { LiveList } from "@/components/ui/live-list";
import { Menu } from "@/components/ui/menu";
import { NewButton } from "@/components/ui/new-button";
import { PageHeader } from "@/components/ui/page-header";
import { Pills } from "@/components/ui/pills";
import { SearchBox } from "@/components/ui/search-box";
import { Toolbar } from "@/components/ui/toolbar";
import { AUDIT_PARTS, type AuditPart } from "@/lib/identity/audit/activity";
import { config } from "@/lib/platform/config/config";
import type { List } from "@/lib/platform/lists/list";
import { Agents } from "./_components/agents";
import { type AuditFilters, readAuditFilters } from "./_components/audit-filters";
import { AuditLog } from "./_components/audit-log";
import { CreateKeyForm } from "./_components/create-key-form";
import { Keys } from "./_components/keys";
import { type Lists, readLists, rowsOf, versionOf } from "./_components/lists";
import { KEYS_TABS, tabHref, tabOf, tabsFor } from "./_components/tabs";

export const metadata: Metadata = { title: "Keys & agents" };

export default async function KeysPage(props: { searchParams: Promise<SearchParams> }) {
  const params = await props.searchParams;
  const { caller, account } = await requireSignIn(withQuery("/keys", params));
  const tab = tabOf(caller, params);
  const q = queryParam(params, "q") || undefined;
  const { filters, misread } = readAuditFilters(params);
  const kept = tab === "log" ? { ...filters } : { q };
  const lists = await readLists(caller, params);
  const { baseUrl } = config();
  const isPerson = caller.kind === "user";
  const isCreating = queryParam(params, "new") === "1" && isPerson;
  const registration = curl(`${baseUrl}/api/agent/auth`, {
    key: false,
    body: { type: "service_auth", login_hint: isPerson ? account.name : "you@example.com" },
  });
  const more = (list: List<unknown>) => {
    const next = nextRange(params, list);
    return next && tabHref(tab, { ...kept, ...next });
  };
  const content = (
    <>
      {lists.keys && (
        <Keys
          keys={lists.keys.data}
          grants={lists.grants}
          isSearch={q !== undefined}
          isCreating={isCreating}
          isPerson={isPerson}
          moreHref={more(lists.keys)}
          registration={registration}
        />
      )}
      {lists.agents && (
        <Agents
          {...lists.agents}
          canRevoke={isPerson}
          isSearch={q !== undefined}
          registration={registration}
        />
      )}
      {lists.events && (
        <AuditLog
          events={lists.events.data}
          titles={lists.titles}
          filters={filters}
          moreHref={more(lists.events)}
        />
      )}
    </>
  );
  const isStill = isCreating || Object.values(kept).some((value) => value !== undefined);
  const { after, shown } = rangeParams(params);
  const live = withQuery("/keys/live", { tab, after, shown });
  return (
    <LiveList href={isStill ? undefined : live} shown={versionOf(lists)}>
      <PageHeader
        title="Keys & agents"
        count={countIn(lists, rangeOf(params).after)}
        action={
          <div className="flex gap-2">
            {isPerson && (
              <NewButton href="/keys?new=1" primary>
                New key
              </NewButton>
            )}
            {tab === "log" && (
              <Menu label="List actions">
                <ExportLink list="audit-log" filters={filters} />
              </Menu>
            )}
          </div>
        }
      >
        <Toolbar
          misread={tab === "log" ? misread : undefined}
          search={
            <SearchBox
              label={`Search ${KEYS_TABS[tab].toLowerCase()}`}
              value={q ?? ""}
              action="/keys"
              keep={{ tab: tab === "keys" ? undefined : tab, ...kept, q: undefined }}
            />
          }
        >
          <Pills
            label="View"
            pills={tabsFor(caller).map((one) => ({
              name: KEYS_TABS[one],
              href: tabHref(one),
              chosen: one === tab,
            }))}
          />
          {tab === "log" && <LogFilters filters={filters} lists={lists} />}
        </Toolbar>
      </PageHeader>
      {isCreating && (
        <section aria-label="New key" className="new-form">
          <div className="max-w-[46rem]">
            <CreateKeyForm formId={crypto.randomUUID()} baseUrl={baseUrl} />
          </div>
        </section>
      )}
      <BufferedView key={tab} view={{ ids: rowsOf(lists).map(({ id }) => id), content }} />
    </LiveList>
  );
}

function LogFilters({ filters, lists }: { filters: AuditFilters; lists: Lists }) {
  const parts = Object.keys(AUDIT_PARTS) as AuditPart[];
  const entry = lists.events?.data.find(({ actor }) => actor === filters.by);
  return (
    <>
      <Pills
        label="About"
        pills={[undefined, ...parts].map((about) => ({
          name: about === undefined ? "All" : about[0]?.toUpperCase() + about.slice(1),
          href: tabHref("log", { ...filters, about }),
          chosen: about === filters.about,
        }))}
      />
      <Chips
        chips={[["by", "by", filters.by && (entry?.actor_name ?? filters.by)]]}
        without={(param) => tabHref("log", { ...filters, [param]: undefined })}
      />
    </>
  );
}

/** "3 live of 4" for the first keys, which are the live ones, and the length of other lists. */
function countIn({ keys, agents, events }: Lists, after: string | undefined): string {
  if (events) return countOf(events);
  if (agents) return (agents.data.length + agents.others).toLocaleString("en");
  if (!keys) return "";
  if (keys.total_count === undefined || after !== undefined) return countOf(keys);
  const live = keys.data.filter(({ state }) => state === "live").length;
  const mayHaveMoreLive = keys.has_more && live === keys.data.length;
  return `${live}${mayHaveMoreLive ? "+" : ""} live of ${keys.total_count}`;
}
