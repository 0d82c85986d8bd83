import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, CircleStop, User, UserMinus } from "lucide-react";
import { useState } from "react";

import type { Room, RoomParticipant, RoomTurn } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { DangerDialog } from "../../components/danger-dialog.tsx";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { AddDialog } from "../../components/list-page/add-dialog.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useAgents } from "../../components/use-names.ts";
import { participantName } from "./participant-name.ts";

interface RoomMembersProps {
  readonly room: Room;
  readonly turns: readonly RoomTurn[];
}

/** Participants in the order of their turns, and what each does. */
export function RoomMembers({ room, turns }: RoomMembersProps) {
  const queries = useQueryClient();
  const mayWrite = useMay("rooms:write");
  const present = room.participants.filter(({ left_at }) => left_at === null);
  const changed = () => void queries.invalidateQueries({ queryKey: ["room", room.id] });
  return (
    <section className="room-members" aria-label="Participants">
      <h2>Participants</h2>
      <ul>
        {present.map((participant) => (
          <li key={participant.name}>
            <Member
              room={room}
              participant={participant}
              isSpeaking={turns.some((turn) => turn.participant === participant.name)}
              onChanged={changed}
            />
          </li>
        ))}
      </ul>
      {mayWrite && (
        <AddDialog label="Let in" title="Let somebody in" isSecondary>
          {(close) => <NewMember room={room} onClose={close} onChanged={changed} />}
        </AddDialog>
      )}
    </section>
  );
}

interface MemberProps {
  readonly room: Room;
  readonly participant: RoomParticipant;
  readonly isSpeaking: boolean;
  readonly onChanged: () => void;
}

function Member({ room, participant, isSpeaking, onChanged }: MemberProps) {
  const reprise = useReprise();
  const mayWrite = useMay("rooms:write");
  const mayStop = useMay("replies:write");
  const { name, kind, session_id, status } = participant;
  const Icon = kind === "agent" ? Bot : User;
  const { mutate: stop, isPending } = useMutation({
    mutationFn: () => reprise.room(room.id).interrupt(name),
    onSettled: onChanged,
  });
  return (
    <div className="room-member">
      <Icon size={16} aria-hidden />
      <strong>
        {session_id === null ? (
          <bdi>{name}</bdi>
        ) : (
          <Link to="/sessions/$sessionId" params={{ sessionId: session_id }}>
            <bdi>{name}</bdi>
          </Link>
        )}
      </strong>
      {status !== "idle" && <StatusBadge status={status} />}
      <span className="room-member-actions">
        {isSpeaking && mayStop && (
          <button
            type="button"
            className="button button-icon button-small"
            aria-label={`End the turn of ${name}`}
            disabled={isPending}
            onClick={() => stop()}
          >
            <CircleStop size={16} aria-hidden />
          </button>
        )}
        {mayWrite && (
          <DangerDialog
            button={{ icon: UserMinus, look: "small icon", name: `Take ${name} out` }}
            title={`Take ${name} out of the room?`}
            action="Take out"
            onConfirm={async () => {
              await reprise.room(room.id).removeParticipant(name);
              onChanged();
            }}
          >
            <p>A turn that goes on ends. What {name} has said stays.</p>
          </DangerDialog>
        )}
      </span>
    </div>
  );
}

interface NewMemberProps {
  readonly room: Room;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const A_PERSON = "";

function NewMember({ room, onClose, onChanged }: NewMemberProps) {
  const reprise = useReprise();
  const agents = useAgents();
  const [agentId, setAgentId] = useState(A_PERSON);
  const [name, setName] = useState("");
  const [history, setHistory] = useState<"all" | "none">("all");
  const options = [...agents.values()].map((agent) => [agent.id, agent.name] as const);
  return (
    <DialogForm
      action="Let in"
      onCancel={onClose}
      onSubmit={async () => {
        const taken = new Set(room.participants.map((participant) => participant.name));
        const wanted = name.trim() || (agents.get(agentId)?.name ?? "person");
        const called = { name: participantName(wanted, taken) };
        await reprise
          .room(room.id)
          .addParticipant(
            agentId === A_PERSON ? { ...called, kind: "person" } : { ...called, agent_id: agentId },
            { history },
          );
        onChanged();
        onClose();
      }}
    >
      <ChoiceField
        label="Who"
        value={agentId}
        options={[[A_PERSON, "a person"], ...options]}
        onChange={setAgentId}
      />
      <TextField
        label="Name in the room"
        hint="Letters, digits, _ and -. By this name others mention it."
        value={name}
        onChange={setName}
      />
      {agentId !== A_PERSON && (
        <ChoiceField
          label="What it is told of before"
          value={history}
          options={[
            ["all", "all that was said"],
            ["none", "nothing"],
          ]}
          onChange={(value) => setHistory(value as "all" | "none")}
        />
      )}
    </DialogForm>
  );
}
