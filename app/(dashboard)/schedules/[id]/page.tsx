import { queryParam, withQuery } from "@/app/_shared/query";
import { type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { BesideList } from "@/components/ui/list-and-detail";
import { mayWrite } from "@/lib/platform/caller";
import { deliveriesOf } from "@/lib/resources/messages/deliveries";
import { RUNS_SHOWN, scheduleVersion } from "@/lib/resources/schedules/listing";
import { listRuns } from "@/lib/resources/schedules/runs";
import * as schedules from "@/lib/resources/schedules/service";
import { ScheduleDetail } from "../_components/schedule-detail";
import { ScheduleForm } from "../_components/schedule-form";
import { preservedParams, ScheduleList } from "../_components/schedule-list";

export const generateMetadata = resourceMetadata;

export default async function SchedulePage({ params, searchParams }: ResourcePage) {
  const { id } = await params;
  const search = await searchParams;
  const { caller, account } = await visitor();
  const [version, schedule, runs] = await readOrNotFound(
    withQuery(`/schedules/${id}`, search),
    () =>
      Promise.all([
        scheduleVersion(caller, id),
        readOnce(schedules.get, caller, id),
        listRuns(caller, id, { limit: RUNS_SHOWN, include: "total_count" }),
      ]),
  );
  const deliveries = await deliveriesOf(
    schedule.organization_id,
    runs.data.map(({ resource_id }) => resource_id),
  );
  const kept = preservedParams(search);
  const canWrite = mayWrite(caller);
  const isEditing = canWrite && queryParam(search, "edit") === "1";
  const detail = (
    <ScheduleDetail
      schedule={schedule}
      runs={runs}
      deliveries={deliveries}
      canWrite={canWrite}
      editHref={withQuery(`/schedules/${id}`, { ...kept, edit: 1 })}
      closeHref={account ? withQuery("/schedules", kept) : undefined}
      form={
        isEditing ? (
          <ScheduleForm closeHref={withQuery(`/schedules/${id}`, kept)} schedule={schedule} />
        ) : undefined
      }
    />
  );
  return (
    <AutoRefresh
      // Never while the user may be typing.
      href={isEditing ? undefined : `/schedules/${id}/live`}
      shown={version}
    >
      <BesideList
        label="Schedule"
        list={
          account && (
            <ScheduleList caller={caller} params={search} isPaused={isEditing} openId={id} />
          )
        }
      >
        {detail}
      </BesideList>
    </AutoRefresh>
  );
}
