import { withQuery } from "@/app/_shared/query";
import { openPage, type ResourcePage, readOnce, resourceMetadata } from "@/app/_shared/resources";
import { readOrNotFound } from "@/app/(dashboard)/_shared/read-or-not-found";
import { AutoRefresh } from "@/components/ui/auto-refresh";
import { BesideList } from "@/components/ui/list-and-detail";
import { deliveriesOf } from "@/lib/resources/messages/deliveries";
import { RUNS_SHOWN, scheduleVersion } from "@/lib/resources/schedules/listing";
import { listRuns } from "@/lib/resources/schedules/runs";
import * as schedules from "@/lib/resources/schedules/service";
import { ScheduleDetail } from "../_components/schedule-detail";
import { ScheduleForm } from "../_components/schedule-form";
import { preservedParams, ScheduleList } from "../_components/schedule-list";

export const generateMetadata = resourceMetadata;

export default async function SchedulePage(props: ResourcePage) {
  const { id, search, caller, account, canWrite, isEditing } = await openPage(props);
  const path = `/schedules/${id}`;
  const [version, schedule, runs] = await readOrNotFound(withQuery(path, search), () =>
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
  return (
    <AutoRefresh
      // Never while the user may be typing.
      href={isEditing ? undefined : `${path}/live`}
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
        <ScheduleDetail
          schedule={schedule}
          runs={runs}
          deliveries={deliveries}
          canWrite={canWrite}
          editHref={withQuery(path, { ...kept, edit: 1 })}
          closeHref={account ? withQuery("/schedules", kept) : undefined}
          form={isEditing && <ScheduleForm closeHref={withQuery(path, kept)} schedule={schedule} />}
        />
      </BesideList>
    </AutoRefresh>
  );
}
