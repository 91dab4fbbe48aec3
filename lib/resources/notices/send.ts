import { unixNow } from "@/lib/platform/db/clock";
import { isDatabaseGone } from "@/lib/platform/db/failures";
import { prisma } from "@/lib/platform/db/prisma";
import { query, sql } from "@/lib/platform/db/sql";
import {
  canSendMail,
  isAddressRefused,
  type Mail,
  sendMail,
  wasNotSent,
} from "@/lib/platform/mail/send";
import { stopping } from "@/lib/platform/process";
import { logError } from "@/lib/platform/telemetry/log";
import { DISPATCH_IS_OFF } from "@/lib/resources/messages/dispatch-off";
import { type Digest, type DueSetting, readDigest, SETTING_COLUMNS } from "./digest";
import { noticeMail, questionMail } from "./mail";
import {
  giveNewsBack,
  type QuestionNews,
  settingsWithNews,
  takeQuestionNews,
} from "./question-notices";
import { HOUR_SECONDS } from "./settings";

/** The settings that one statement takes, and the emails about questions in one round. */
const BATCH = 20;
/** Longer than a batch takes, since each mail may wait for its server. */
const LEASE_SECONDS = 600;
/** The pause after a check that found nothing, and after a refused mail. */
const PAUSE_SECONDS = 300;
/** The pause after the mail server refused the address permanently, for instance because it no longer exists. */
const REFUSED_PAUSE_SECONDS = 86_400;

/** Sends due notices within the budget; none while dispatch is off. */
export async function sendNotices(budgetMs: number): Promise<void> {
  if (!canSendMail()) return;
  const end = performance.now() + budgetMs;
  const isOver = () => performance.now() >= end || stopping.signal.aborted;
  await apart(async () => {
    for (const id of await settingsWithNews(BATCH)) {
      if (isOver()) break;
      // Recorded one at a time, so that a failure loses no other member's email.
      await apart(async () => {
        const news = await takeQuestionNews(id);
        if (news) await tellOfQuestions(news);
      });
    }
  });
  while (!isOver()) {
    const settings = await takeDue();
    for (const setting of settings) {
      await apart(() => (isOver() ? giveBack(setting) : notify(setting)));
    }
    if (settings.length < BATCH) return;
  }
}

/** A failure ends only this member's turn, unless the database is down. */
async function apart(tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (isDatabaseGone(error)) throw error;
    logError("A member could not be told the news:", error);
  }
}

/**
 * Takes settings that are due, whose `due_at` becomes the end of the lease. (a) Concurrent
 * processes take different settings.
 */
function takeDue(): Promise<DueSetting[]> {
  return query<DueSetting>(sql`
    UPDATE notice_settings SET due_at = unix_now() + ${LEASE_SECONDS}::bigint WHERE id IN (
      SELECT id FROM notice_settings WHERE due_at <= unix_now() AND NOT ${DISPATCH_IS_OFF}
      ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING ${SETTING_COLUMNS}, due_at`);
}

async function giveBack({ id, due_at }: DueSetting) {
  const data = { due_at: await unixNow() };
  await prisma.noticeSetting.updateMany({ where: { id, due_at }, data });
}

async function notify(setting: DueSetting) {
  const news = await readDigest(setting);
  if (!news) return; // the organization no longer exists
  const full = news.full.filter(({ id }) => !setting.full_inboxes.includes(id));
  const isNews = news.failed_count + full.length + news.waiting_agents > 0;
  if (news.email === null || !isNews) {
    // Most owners have only the default notice, and most organizations send nothing most of the time.
    const pause = news.is_quiet ? HOUR_SECONDS : PAUSE_SECONDS;
    await settle(setting, news, { pause, isSent: false });
    return;
  }
  // Recorded before the mail, so that none is sent twice. A crash in between drops the notice.
  const dueAt = await settle(setting, news, { pause: HOUR_SECONDS, isSent: true });
  if (dueAt === undefined) return; // the setting has changed
  const mail = noticeMail(setting.id, news.email, news, full);
  await sendOr(mail, (pause) => undo(setting, dueAt, pause));
}

async function tellOfQuestions(news: QuestionNews) {
  if (news.email === null || news.count === 0) return;
  await sendOr(questionMail(news.email, news), (pause) => giveNewsBack(news, pause));
}

/** Sends what was recorded as sent. If the mail server refuses it, undoes the record, for another try after a pause. */
async function sendOr(mail: Mail, undoing: (pause: number) => Promise<void>) {
  try {
    await sendMail(mail);
  } catch (error) {
    if (isAddressRefused(error)) await undoing(REFUSED_PAUSE_SECONDS);
    else if (wasNotSent(error)) await undoing(PAUSE_SECONDS);
    else logError("It is not known whether a notice was sent, so it is not sent again:", error);
  }
}

/** Records what was reported and returns the next check's time; undefined if the lease was lost. */
async function settle(
  { id, due_at, last_sent_at }: DueSetting,
  { until, full }: Digest,
  { pause, isSent }: { pause: number; isSent: boolean },
): Promise<number | undefined> {
  const now = await unixNow();
  const data = {
    due_at: now + pause,
    reported_until: until,
    full_inboxes: full.map((inbox) => inbox.id),
    last_sent_at: isSent ? now : last_sent_at,
  };
  const { count } = await prisma.noticeSetting.updateMany({ where: { id, due_at }, data });
  return count === 0 ? undefined : data.due_at;
}

/** The mail server refused the mail, so the same notice is sent later. */
async function undo(setting: DueSetting, dueAt: number, pause: number) {
  const { id, reported_until, full_inboxes, last_sent_at } = setting;
  const due_at = (await unixNow()) + pause;
  const data = { due_at, reported_until, full_inboxes, last_sent_at };
  await prisma.noticeSetting.updateMany({ where: { id, due_at: dueAt }, data });
}
