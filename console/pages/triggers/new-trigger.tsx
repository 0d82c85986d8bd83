import { useState } from "react";

import type { Agent, CreatedTrigger, Trigger } from "../../../sdk/index.ts";
import { useReprise } from "../../access/access-context.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { ChoiceField, TextField } from "../../components/forms/fields.tsx";
import { DialogForm } from "../../components/forms/form-dialog.tsx";
import { SecretOnce } from "../../components/forms/secret-once.tsx";
import { useRoomTitles } from "../../components/use-names.ts";
import { FORM_OPTIONS, WORDS_OF_OVERLAP } from "./trigger-words.ts";

type Cause = "cron" | "once" | "webhook" | "hand";
type Form = NonNullable<Trigger["webhook"]>["form"];

interface NewTriggerProps {
  /** None where the console may not read them. */
  readonly agents: ReadonlyMap<string, Agent>;
  readonly onMade: (id: string) => void;
  readonly onCancel: () => void;
}

/** A trigger; one with a webhook shows its address and its secret, this once. */
export function NewTrigger({ agents, onMade, onCancel }: NewTriggerProps) {
  const reprise = useReprise();
  const [name, setName] = useState("");
  const [target, setTarget] = useState<"agent" | "room">("agent");
  // Null for the first one: the agents may not be known when the form is opened.
  const [chosenAgent, setChosenAgent] = useState<string | null>(null);
  const agentId = chosenAgent ?? [...agents.keys()][0] ?? "";
  const rooms = useRoomTitles();
  const [chosenRoom, setChosenRoom] = useState<string | null>(null);
  const roomId = chosenRoom ?? [...rooms.keys()][0] ?? "";
  const [mentions, setMentions] = useState("");
  const [cause, setCause] = useState<Cause>("cron");
  const [expression, setExpression] = useState("0 8 * * 1-5");
  const [timezone, setTimezone] = useState(
    () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [runAt, setRunAt] = useState("");
  const [form, setForm] = useState<Form>("standard");
  const [secret, setSecret] = useState("");
  const [input, setInput] = useState("");
  const [overlap, setOverlap] = useState<Trigger["overlap"]>("skip");
  const [made, setMade] = useState<CreatedTrigger | null>(null);

  async function make(): Promise<void> {
    const trigger = await reprise.triggers.create({
      name: name.trim(),
      ...(target === "agent"
        ? { agent_id: agentId.trim() }
        : { room_id: roomId.trim(), mentions: namesIn(mentions) }),
      input,
      overlap,
      ...(cause === "cron" && { schedule: { type: "cron", expression, timezone } }),
      ...(cause === "once" && {
        schedule: { type: "once", run_at: new Date(runAt).toISOString() },
      }),
      ...(cause === "webhook" && {
        webhook: { form, ...(secret.trim() !== "" && { secret: secret.trim() }) },
      }),
    });
    if (trigger.webhook) setMade(trigger);
    else onMade(trigger.id);
  }

  if (made?.webhook) return <ShowSecret trigger={made} onClose={() => onMade(made.id)} />;
  const options = [...agents.values()].map((agent) => [agent.id, agent.name] as const);
  const askedOne = target === "agent" ? "the agent" : "the room";
  return (
    <DialogForm action="Make" onCancel={onCancel} onSubmit={make}>
      <TextField label="Name" isRequired value={name} onChange={setName} />
      <ChoiceField
        label="Answered by"
        value={target}
        options={[
          ["agent", "an agent"],
          ["room", "a room"],
        ]}
        onChange={(value) => setTarget(value as typeof target)}
      />
      {target === "agent" ? (
        <OneOf label="Agent" value={agentId} options={options} onChange={setChosenAgent} />
      ) : (
        <>
          <OneOf label="Room" value={roomId} options={[...rooms]} onChange={setChosenRoom} />
          <TextField
            label="Mentions"
            hint="Names of those who are to speak next, where turns go by mention; commas between them."
            value={mentions}
            onChange={setMentions}
          />
        </>
      )}
      <ChoiceField
        label="Runs"
        value={cause}
        options={[
          ["cron", "by a schedule"],
          ["once", "once"],
          ["webhook", "when a webhook comes"],
          ["hand", "by hand alone"],
        ]}
        onChange={(value) => setCause(value as Cause)}
      />
      {cause === "cron" && (
        <>
          <TextField
            label="Cron expression"
            hint="Minute, hour, day of the month, month, day of the week."
            isCode
            isRequired
            value={expression}
            onChange={setExpression}
          />
          <TextField label="Time zone" isRequired value={timezone} onChange={setTimezone} />
        </>
      )}
      {cause === "once" && (
        <TextField label="At" type="datetime-local" isRequired value={runAt} onChange={setRunAt} />
      )}
      {cause === "webhook" && (
        <>
          <ChoiceField
            label="Signed as"
            value={form}
            options={FORM_OPTIONS}
            onChange={(value) => setForm(value as Form)}
          />
          <TextField
            label="Secret of the sender"
            hint="Empty: one is made here."
            type="password"
            value={secret}
            onChange={setSecret}
          />
        </>
      )}
      <TextField
        label={`What ${askedOne} is asked`}
        hint={
          cause === "webhook"
            ? "{issue/title} stands for a member of the payload, which is untrusted."
            : undefined
        }
        lines={4}
        isRequired
        value={input}
        onChange={setInput}
      />
      <ChoiceField
        label="Overlap"
        value={overlap}
        options={Object.entries(WORDS_OF_OVERLAP)}
        onChange={(value) => setOverlap(value as Trigger["overlap"])}
      />
    </DialogForm>
  );
}

interface OneOfProps {
  readonly label: string;
  readonly value: string;
  /** None where the console may not read them: then the id is typed in. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (id: string) => void;
}

function OneOf({ label, value, options, onChange }: OneOfProps) {
  return options.length > 0 ? (
    <ChoiceField label={label} value={value} options={options} onChange={onChange} />
  ) : (
    <TextField label={`${label} id`} isRequired isCode value={value} onChange={onChange} />
  );
}

function namesIn(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

interface ShowSecretProps {
  readonly trigger: CreatedTrigger;
  readonly onClose: () => void;
}

/** The address and the secret of a webhook, for its sender. */
export function ShowSecret({ trigger, onClose }: ShowSecretProps) {
  const { webhook } = trigger;
  if (!webhook) return null;
  return (
    <SecretOnce what="secret" secret={webhook.secret} onClose={onClose}>
      <p>The sender posts to this address, which the page of the trigger shows, too:</p>
      <div className="secret">
        <code>{webhook.url}</code>
        <CopyButton text={webhook.url} what="address" />
      </div>
    </SecretOnce>
  );
}
