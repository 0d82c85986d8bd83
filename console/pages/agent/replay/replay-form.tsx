import { useQuery } from "@tanstack/react-query";
import { History, Square } from "lucide-react";
import { useState } from "react";

import { getTextContent, type Agent, type Reply } from "../../../../sdk/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import { formatTime } from "../../../components/format-time.ts";
import { ChoiceField, TextField } from "../../../components/forms/fields.tsx";
import type { JsonObject } from "../../../components/schema-form/json-schema.ts";
import type { Filters } from "../../../components/use-filters.ts";
import type { ReplayRequest } from "./use-replay-run.ts";

interface ReplayFormProps {
  readonly agent: Agent;
  /** Definition in the editor that is not saved; null for none. */
  readonly draft: JsonObject | null;
  /** State of the address, which names the session that is replayed, and the version. */
  readonly filters: Filters;
  readonly isRunning: boolean;
  readonly onStart: (request: ReplayRequest) => void;
  readonly onStop: () => void;
}

type Assumption = NonNullable<ReplayRequest["assume"]>;

const SHOWN_SESSIONS = 50;
const SHOWN_REPLIES = 50;
const SHOWN_VERSIONS = 50;
/** Value of `replay_on` in the address for the definition in the editor. */
const DRAFT = "draft";
/** Choice of a session that is not in the list. */
const OTHER = "other";

const ASSUMPTIONS: readonly (readonly [Assumption, string])[] = [
  ["stop", "stop there"],
  ["deny", "go on as if it was denied"],
  ["allow", "go on as if it was allowed"],
];

/** Form of a replay: the session, its first reply, and the version. */
export function ReplayForm({ agent, draft, filters, isRunning, onStart, onStop }: ReplayFormProps) {
  const { replay_session: sessionId = "", replay_from: from = "" } = filters.values;
  const [isOther, setIsOther] = useState(false);
  const [assume, setAssume] = useState<Assumption>("stop");
  const sessions = useSessions(agent.id);
  const versions = useVersions(agent);
  const replies = useReplies(sessionId);
  const on = filters.values["replay_on"] ?? (draft ? DRAFT : String(agent.version));
  const isGone = on === DRAFT && !draft;
  const isListed = sessions.some(([id]) => id === sessionId);

  return (
    <form
      className="panel replay-form"
      aria-label="Replay"
      onSubmit={(event) => {
        event.preventDefault();
        onStart({
          session_id: sessionId,
          assume,
          ...(from !== "" && { from_reply_id: from }),
          ...(on === DRAFT && draft
            ? { definition: draft as ReplayRequest["definition"] }
            : { version: Number(on) }),
        });
      }}
    >
      <div className="form-row">
        <ChoiceField
          label="Recorded session"
          value={isOther || (sessionId !== "" && !isListed) ? OTHER : sessionId}
          options={[["", "Choose one…"], ...sessions, [OTHER, "Another session, by its id…"]]}
          onChange={(id) => {
            setIsOther(id === OTHER);
            filters.change({ replay_session: id === OTHER ? "" : id, replay_from: "" });
          }}
        />
        {(isOther || (sessionId !== "" && !isListed)) && (
          <TextField
            label="Session id"
            value={sessionId}
            isCode
            onChange={(id) => {
              setIsOther(true);
              filters.change({ replay_session: id.trim(), replay_from: "" });
            }}
          />
        )}
        <ChoiceField
          label="From"
          value={from}
          options={[["", "its first reply"], ...withChosen(replies, from)]}
          onChange={(id) => filters.set("replay_from", id)}
        />
      </div>
      <div className="form-row">
        <ChoiceField
          label="On"
          value={on}
          options={[
            ...(draft || isGone ? [[DRAFT, "what is in the editor, not saved"] as const] : []),
            ...withChosen(versions, on === DRAFT ? "" : on),
          ]}
          onChange={(version) => filters.set("replay_on", version)}
        />
        <ChoiceField
          label="A question without a recorded answer"
          value={assume}
          options={ASSUMPTIONS}
          onChange={(value) => setAssume(value as Assumption)}
        />
        {isRunning ? (
          // Keys: a button that became one of the form within its own click would send it.
          <button key="stop" type="button" className="button" onClick={onStop}>
            <Square size={16} aria-hidden />
            Stop
          </button>
        ) : (
          <button
            key="start"
            type="submit"
            className="button button-primary"
            disabled={sessionId === "" || isGone}
          >
            <History size={16} aria-hidden />
            Replay
          </button>
        )}
      </div>
      <p className="quiet">
        {isGone
          ? "There is no change in the editor: choose a version."
          : "Models are really called, and paid for. Tools and people are answered from the record; nothing is sent, stored or changed."}
      </p>
    </form>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

/** A value of the address that the list does not have is one of the choices nevertheless. */
function withChosen(options: Options, chosen: string): Options {
  if (chosen === "" || options.some(([value]) => value === chosen)) return options;
  return [...options, [chosen, chosen]];
}

function useSessions(agentId: string): Options {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["sessions", "of-agent", agentId],
    queryFn: () => reprise.sessions.list({ agent_id: agentId, limit: SHOWN_SESSIONS }).page(null),
  });
  return (data?.data ?? []).map(({ id, end_user_id, created_at, agent_version }) => [
    id,
    [end_user_id ?? id, formatTime(created_at), `v${agent_version}`].join(" · "),
  ]);
}

function useVersions(agent: Agent): Options {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["agent-versions", agent.id, "choice"],
    queryFn: () => reprise.agents.versions(agent.id, { limit: SHOWN_VERSIONS }).page(null),
  });
  const listed = data?.data ?? [{ version: agent.version }];
  return listed.map(({ version }) => [
    String(version),
    version === agent.version ? `version ${version}, the newest` : `version ${version}`,
  ]);
}

function useReplies(sessionId: string): Options {
  const reprise = useReprise();
  const { data } = useQuery({
    queryKey: ["replies", "of-session", sessionId],
    queryFn: () => reprise.session(sessionId).replies.list({ limit: SHOWN_REPLIES }).page(null),
    enabled: sessionId !== "",
    retry: false,
  });
  return (data?.data ?? []).toReversed().map((reply) => [reply.id, labelOf(reply)]);
}

const LABEL_CHARACTERS = 48;

function labelOf({ id, message, status }: Reply): string {
  const text = message ? (getTextContent(message) ?? "").replaceAll(/\s+/g, " ").trim() : "";
  const time = message ? `${formatTime(message.created_at)} · ` : "";
  const words = text.length > LABEL_CHARACTERS ? `${text.slice(0, LABEL_CHARACTERS)}…` : text;
  return `${time}${words || status.replaceAll("_", " ") || id}`;
}
