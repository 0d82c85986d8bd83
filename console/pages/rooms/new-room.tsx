import { useState } from "react";

import type { Agent, Room } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CheckFields, ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { participantName, splitNames } from "./participant-name.ts";
import { WORDS_OF_ORDER } from "./room-words.ts";

type Order = Room["turns"]["order"];

const ORDERS = Object.entries(WORDS_OF_ORDER);

interface NewRoomProps {
  /** None where the console may not read them. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly onMade: (id: string) => void;
  readonly onCancel: () => void;
}

/** A room with agents under their own names, and people. */
export function NewRoom({ agents, onMade, onCancel }: NewRoomProps) {
  const reprise = useReprise();
  const [title, setTitle] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [people, setPeople] = useState("");
  const [order, setOrder] = useState<Order>("sequential");
  // Null for the first one: the agents may not be known when the form is opened.
  const [chosenModerator, setModerator] = useState<string | null>(null);
  const moderator = chosenModerator ?? [...agents.keys()][0] ?? "";
  const [announcement, setAnnouncement] = useState("");
  const nameOf = (id: string): string => agents.get(id)?.name ?? id;

  async function open(): Promise<void> {
    const taken = new Set<string>();
    const room = await reprise.rooms.create({
      ...(title.trim() !== "" && { title: title.trim() }),
      participants: [
        ...chosen.map((agent_id) => {
          return { name: participantName(nameOf(agent_id), taken), agent_id };
        }),
        ...splitNames(people).map((name) => {
          return { name: participantName(name, taken), kind: "person" as const };
        }),
      ],
      turns: order === "moderated" ? { order, moderator: { agent_id: moderator } } : { order },
      ...(announcement.trim() !== "" && { announcement: announcement.trim() }),
    });
    onMade(room.id);
  }

  return (
    <DialogForm action="Open" onCancel={onCancel} onSubmit={open}>
      <TextField label="Title" hint="May be empty." value={title} onChange={setTitle} />
      <CheckFields
        label="Agents, in the order of their turns"
        options={[...agents.keys()]}
        chosen={chosen}
        onChange={setChosen}
        textOf={nameOf}
      />
      <TextField
        label="People"
        hint="Names with commas between them."
        value={people}
        onChange={setPeople}
      />
      <ChoiceField
        label="Turns"
        value={order}
        options={ORDERS}
        onChange={(value) => setOrder(value as Order)}
      />
      {order === "moderated" && (
        <ChoiceField
          label="Moderator"
          hint="Says who speaks next, and takes no part."
          value={moderator}
          options={[...agents.values()].map(({ id, name }) => [id, name] as const)}
          onChange={setModerator}
        />
      )}
      <TextField
        label="Announcement"
        hint="The first message, which each agent is given. May be empty."
        lines={3}
        value={announcement}
        onChange={setAnnouncement}
      />
    </DialogForm>
  );
}
