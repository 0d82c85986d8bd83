import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";

import type { Room } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";

/** A place to speak as one of the people of the room. Nothing is shown where there is none. */
export function SpeakForm({ room }: { readonly room: Room }) {
  const reprise = useReprise();
  const queries = useQueryClient();
  const people = room.participants
    .filter(({ kind, left_at }) => kind === "person" && left_at === null)
    .map(({ name }) => name);
  const [chosen, setChosen] = useState<string | null>(null);
  const [text, setText] = useState("");
  const participant = chosen !== null && people.includes(chosen) ? chosen : people[0];
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ on_busy }: { readonly on_busy: "queue" | "interrupt" }) =>
      reprise.room(room.id).say(text, { ...(participant && { participant }), on_busy }),
    onSuccess: () => setText(""),
    onSettled: () => void queries.invalidateQueries({ queryKey: ["room", room.id] }),
  });
  if (participant === undefined) {
    return <p className="quiet">Nobody can speak here: let a person in first.</p>;
  }
  const isOff = isPending || text.trim() === "";
  return (
    <form
      className="room-speak"
      aria-label="Say something"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) mutate({ on_busy: "queue" });
      }}
    >
      {people.length > 1 && (
        <ChoiceField
          label="As"
          value={participant}
          options={people.map((name) => [name, name] as const)}
          onChange={setChosen}
        />
      )}
      <TextField
        label={`What ${participant} says`}
        hint={room.turns.order === "mentioned" ? "@name gives an agent its turn." : undefined}
        lines={3}
        value={text}
        onChange={setText}
      />
      <div className="approval-actions">
        <button type="submit" className="button button-primary" disabled={isOff}>
          <Send size={16} aria-hidden />
          {isPending ? "One moment…" : "Say"}
        </button>
        {room.status !== "idle" && (
          <button
            type="button"
            className="button"
            disabled={isOff}
            onClick={() => mutate({ on_busy: "interrupt" })}
          >
            Interrupt with it
          </button>
        )}
      </div>
      {error && (
        <p role="alert" className="field-error">
          {error.message}
        </p>
      )}
    </form>
  );
}
