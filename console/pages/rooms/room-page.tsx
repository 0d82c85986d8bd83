import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ArrowLeft, CircleStop, Trash2 } from "lucide-react";
import { useEffect } from "react";

import type { Room } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CodeId } from "../../components/code-id.tsx";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { LoadingState } from "../../components/loading-state.tsx";
import { MissingRight } from "../../components/missing-right.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { RoomConversationView } from "./room-conversation.tsx";
import { RoomMembers } from "./room-members.tsx";
import { RoomQuestions } from "./room-questions.tsx";
import { WORDS_OF_END, WORDS_OF_ORDER } from "./room-words.ts";
import { SpeakForm } from "./speak-form.tsx";
import { useRoomLog } from "./use-room-log.ts";

/** Milliseconds between two looks at the room, beside those at which its log says that something has changed. */
const LOOK_MS = 10_000;

/** One room as it goes on: what is said, who is there, what waits for people, and a place to speak. */
export function RoomPage() {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { roomId } = useParams({ strict: false });
  const id = roomId ?? "";
  const mayWrite = useMay("rooms:write");
  const maySpeak = useMay("replies:write");
  const log = useRoomLog(id);
  const { data, error, refetch } = useQuery({
    queryKey: ["room", id],
    queryFn: () => reprise.room(id).get(),
    refetchInterval: LOOK_MS,
  });
  const { conversation } = log;
  // Text that grows changes nothing of the room; turns, members and waits do.
  const { is_discussing, round, turns, input_requests, members, messages } = conversation;
  const waits = messages.at(-1)?.message.content.at(-1)?.type === "tool_call";
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["room", id] });
  }, [queries, id, is_discussing, round, turns, input_requests, members, waits]);
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingState label="Loading the room…" />;
  return (
    <div className="detail-page room-page">
      <Link to="/rooms" className="back-link">
        <ArrowLeft size={16} aria-hidden />
        Rooms
      </Link>
      <PageHeader title={data.title ?? "Room"} subtitle={<CodeId id={id} what="room id" />}>
        <StatusBadge status={data.status} />
        {maySpeak && <StopDiscussion room={data} />}
        {mayWrite && <DeleteRoom id={id} />}
      </PageHeader>
      <Facts room={data} />
      <MissingRight right="rooms:write">Members are not changed here</MissingRight>
      {log.error && <ErrorState error={log.error} onRetry={log.readAgain} />}
      <div className="room-columns">
        <div className="room-main">
          <RoomConversationView conversation={conversation} />
          <RoomQuestions room={data} />
          {maySpeak && <SpeakForm room={data} />}
        </div>
        <RoomMembers room={data} turns={turns} />
      </div>
    </div>
  );
}

function Facts({ room }: { readonly room: Room }) {
  const { id, turns, round, max_rounds, last_end, created_at } = room;
  return (
    <dl className="facts">
      <div>
        <dt>Turns</dt>
        <dd>{WORDS_OF_ORDER[turns.order]}</dd>
      </div>
      <div>
        <dt>Round</dt>
        <dd>{round === 0 ? "none goes on" : `${round} of ${max_rounds} at most`}</dd>
      </div>
      {last_end && (
        <div>
          <dt>The last discussion</dt>
          <dd>
            {WORDS_OF_END[last_end.reason]} <TimeStamp at={last_end.at} />
          </dd>
        </div>
      )}
      <div>
        <dt>Sessions</dt>
        <dd>
          <Link to="/sessions" search={{ room_id: id } as never}>
            those of its agents
          </Link>
        </dd>
      </div>
      <div>
        <dt>Opened</dt>
        <dd>
          <TimeStamp at={created_at} />
        </dd>
      </div>
    </dl>
  );
}

function StopDiscussion({ room: { id, status } }: { readonly room: Room }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  if (status === "idle") return null;
  return (
    <DangerDialog
      button={{ text: "Stop", icon: CircleStop }}
      title="Stop the discussion?"
      action="Stop"
      onConfirm={async () => {
        await reprise.room(id).interrupt();
        await queries.invalidateQueries({ queryKey: ["room", id] });
      }}
    >
      <p>The turns that go on end where they are, and no other one begins.</p>
    </DangerDialog>
  );
}

function DeleteRoom({ id }: { readonly id: string }) {
  const reprise = useReprise();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <DangerDialog
      button={{ text: "Delete", icon: Trash2 }}
      title="Delete this room?"
      action="Delete"
      onConfirm={async () => {
        await reprise.rooms.delete(id);
        queries.removeQueries({ queryKey: ["rooms"] });
        await navigate({ to: "/rooms" });
        queries.removeQueries({ queryKey: ["room", id] });
      }}
    >
      <p>
        What was said here is erased, with the sessions of its agents. This cannot be undone. The
        agents stay.
      </p>
    </DangerDialog>
  );
}
