import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";

import type { Trigger } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { MissingRight } from "../../components/missing-right.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { useAgents } from "../../components/use-names.ts";
import { RunList } from "./run-list.tsx";
import { TriggerActions } from "./trigger-actions.tsx";
import { TargetLink } from "./trigger-target.tsx";
import {
  WORDS_OF_MISSED,
  WORDS_OF_OVERLAP,
  WORDS_OF_SESSION,
  wordsOfCause,
} from "./trigger-words.ts";

/** Milliseconds between two looks at the trigger. */
const LOOK_MS = 4_000;

/** One trigger: what begins it, what it asks, its next times, and its runs. */
export function TriggerPage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { triggerId } = useParams({ strict: false });
  const id = triggerId ?? "";
  const mayWrite = useMay("triggers:write");
  const { data, error, refetch } = useQuery({
    queryKey: ["trigger", id],
    queryFn: () => reprise.triggers.get(id),
    refetchInterval: LOOK_MS,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the trigger…" />;
  const changed = () => {
    void queries.invalidateQueries({ queryKey: ["trigger", id] });
    void queries.invalidateQueries({ queryKey: ["trigger runs", id] });
  };
  return (
    <div className="detail-page">
      <Link to="/triggers" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Triggers
      </Link>
      <PageHeader title={data.name} subtitle={<CodeId id={id} what="trigger id" />}>
        <StatusBadge status={data.status} />
        {mayWrite && <TriggerActions trigger={data} onChange={changed} />}
      </PageHeader>
      <PausedNote trigger={data} />
      <Facts trigger={data} />
      <MissingRight right="triggers:write">The trigger is not changed here</MissingRight>
      {data.webhook && (
        <div className="secret">
          <code>{data.webhook.url}</code>
          <CopyButton text={data.webhook.url} what="address" />
        </div>
      )}
      <Upcoming trigger={data} />
      <RunList triggerId={id} />
    </div>
  );
}

function PausedNote({ trigger: { paused_reason } }: { readonly trigger: Trigger }) {
  if (!paused_reason) return null;
  const { type, error } = paused_reason;
  const words = {
    manual: "It was paused by hand.",
    key_revoked: "It is paused, since the key that has made it was revoked.",
    error: `It is paused, since its runs fail: ${error?.message ?? "the reason is not known"}`,
  }[type];
  return (
    <p role="note" className="notice" data-tone={type === "manual" ? "waiting" : "bad"}>
      {words}
    </p>
  );
}

function Facts({ trigger }: { readonly trigger: Trigger }) {
  const agents = useAgents();
  const { input, mentions, overlap, missed, session, permission, failures_in_row } = trigger;
  const { missed_runs, created_at, schedule } = trigger;
  return (
    <dl className="facts">
      <Fact label={trigger.room_id === null ? "Agent" : "Room"}>
        <TargetLink trigger={trigger} agents={agents} />
      </Fact>
      <Fact label="Runs">{wordsOfCause(trigger)}</Fact>
      <Fact label="Asks">
        <bdi>{typeof input === "string" ? input : input.map(({ text }) => text).join("\n")}</bdi>
      </Fact>
      {mentions.length > 0 && (
        <Fact label="Mentions">
          <bdi>{mentions.join(", ")}</bdi>
        </Fact>
      )}
      <Fact label="Overlap">{WORDS_OF_OVERLAP[overlap]}</Fact>
      {schedule && <Fact label="Missed">{WORDS_OF_MISSED[missed]}</Fact>}
      {session && <Fact label="Session">{WORDS_OF_SESSION[session.mode]}</Fact>}
      {permission && (
        <Fact label="Permission">
          <span className="code">{permission.mode}</span>
        </Fact>
      )}
      {failures_in_row > 0 && <Fact label="Failures in a row">{failures_in_row}</Fact>}
      {missed_runs > 0 && <Fact label="Missed runs">{missed_runs.toLocaleString()}</Fact>}
      <Fact label="Made">
        <TimeStamp at={created_at} />
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Upcoming({ trigger }: { readonly trigger: Trigger }) {
  const { upcoming_runs_at, status, schedule } = trigger;
  if (upcoming_runs_at.length === 0) return null;
  // As the clock shows it there, whose wall clock the schedule means.
  const clock = new Intl.DateTimeFormat(undefined, {
    dateStyle: "full",
    timeStyle: "short",
    ...(schedule?.type === "cron" && { timeZone: schedule.timezone }),
  });
  return (
    <section className="trigger-part" aria-label="Next times">
      <h2>{status === "active" ? "Next times" : "Next times, once it is not paused"}</h2>
      <ol className="trigger-times">
        {upcoming_runs_at.map((at) => (
          <li key={at}>
            {clock.format(new Date(at))}{" "}
            <span className="quiet">
              <TimeStamp at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
