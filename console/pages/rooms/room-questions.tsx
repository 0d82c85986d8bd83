import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MessageCircleQuestion } from "lucide-react";
import { useMemo, useState } from "react";

import type { InputRequest, Room } from "../../../sdk/index.ts";
import { useMay, useReprise } from "../../access/access-context.ts";
import { CalledQuestion } from "../../components/called/called-question.tsx";
import { TextField } from "../../components/forms/fields.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { draftOfRequest, readRequestDraft } from "../../components/waiting/request-draft.ts";
import { RequestView } from "../../components/waiting/request-view.tsx";

/** Calls of agents, and turns of people, for which the room waits. */
export function RoomQuestions({ room }: { readonly room: Room }) {
  const maySpeak = useMay("replies:write");
  const { pending, input_requests, participants } = room;
  if (pending.length + input_requests.length === 0) return null;
  const agentOf = (name: string): string =>
    participants.find((participant) => participant.name === name)?.agent_id ?? "";
  return (
    <section className="room-questions" aria-label="Waits for people">
      {pending.map((call) => (
        <div key={`${call.session_id} ${call.tool_call.id} ${call.input_hash}`}>
          <p className="quiet">
            <bdi>{call.participant}</bdi>
          </p>
          <CalledQuestion
            question={{ ...call, agent_id: agentOf(call.participant) }}
            callerId={room.id}
            isDirect
          />
        </div>
      ))}
      {maySpeak &&
        input_requests.map((request) => (
          <PersonTurn key={request.id} roomId={room.id} request={request} />
        ))}
    </section>
  );
}

interface PersonTurnProps {
  readonly roomId: string;
  readonly request: Room["input_requests"][number];
}

/** A person's turn: words, or what a form asks for. */
function PersonTurn({ roomId, request }: PersonTurnProps) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const { id, participant, form, expires_at } = request;
  const asked = useMemo(() => (form === null ? null : toInputRequest(form)), [form]);
  const [text, setText] = useState("");
  const [draft, setDraft] = useState(() => asked && draftOfRequest(asked));
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (answer: object) =>
      reprise.room(roomId).input({ participant, input_request_id: id, ...answer }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["room", roomId] }),
  });
  const isOff = isPending || isSuccess;

  function send(): void {
    if (!asked || !draft) return mutate({ content: text });
    const read = readRequestDraft(asked, draft);
    if ("errors" in read) return setDraft({ ...draft, errors: read.errors });
    mutate({ values: "content" in read.response ? read.response.content : {} });
  }

  return (
    <form
      className="approval question"
      aria-label={`Turn of ${participant}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) send();
      }}
    >
      <p className="question-from">
        <MessageCircleQuestion size={16} aria-hidden />
        <span>
          It is the turn of <bdi>{participant}</bdi>
          {expires_at !== null && (
            <>
              {", which ends "}
              <TimeStamp at={expires_at} />
            </>
          )}
        </span>
      </p>
      {asked && draft ? (
        <RequestView request={asked} draft={draft} isDisabled={isOff} onChange={setDraft} />
      ) : (
        <TextField label={`Words of ${participant}`} lines={3} value={text} onChange={setText} />
      )}
      <div className="approval-actions">
        <button
          type="submit"
          className="button button-primary"
          disabled={isOff || (!asked && text.trim() === "")}
        >
          Take the turn
        </button>
        <button
          type="button"
          className="button"
          disabled={isOff}
          onClick={() => mutate({ action: "decline" })}
        >
          Say nothing
        </button>
      </div>
      {error && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
    </form>
  );
}

function toInputRequest(form: Readonly<Record<string, unknown>>): InputRequest {
  return { mode: "form", message: "", requested_schema: form } as unknown as InputRequest;
}
