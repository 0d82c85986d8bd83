import { useMutation } from "@tanstack/react-query";

import { ApiError, type Agent } from "../../../../sdk/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import { failureText } from "../../../components/failure-text.ts";
import type { JsonObject } from "../../../components/schema-form/json-schema.ts";
import { ToolCallForm } from "../../../components/schema-form/tool-call-form.tsx";
import { CalledToolView } from "./called-tool-view.tsx";

interface CallFormProps {
  readonly agent: Agent;
  readonly name: string;
  /** Schema of the input; unknown here for a tool whose code is deployed: the platform checks the input. */
  readonly schema: unknown;
}

/** A tool's arguments as a form, and what it answers to them. */
export function CallForm({ agent, name, schema }: CallFormProps) {
  const reprise = useReprise();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: (given: JsonObject) =>
      reprise.agents.callTool(agent.id, name, {
        input: given as Record<string, never>,
        version: agent.version,
      }),
  });
  return (
    <>
      <ToolCallForm name={name} schema={schema} isPending={isPending} onCall={mutate}>
        The tool is really called, with the agent&apos;s credentials. Nothing enters a session.
      </ToolCallForm>
      {error && !isPending && (
        <div role="alert" className="notice" data-tone="bad">
          {isDenied(error) ? "A deny rule forbids this call, so nothing was sent. " : ""}
          {failureText(error)}
        </div>
      )}
      {data && !isPending && <CalledToolView called={data} />}
    </>
  );
}

function isDenied(error: Error): boolean {
  return ApiError.isInstance(error) && error.code === "denied_by_rule";
}
