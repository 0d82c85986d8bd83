import { useMutation } from "@tanstack/react-query";

import { ApiError, type Agent } from "../../../../sdk/index.ts";
import { useReprise } from "../../../access/access-context.ts";
import { failureText } from "../../../components/failure-text.ts";
import type { JsonObject } from "../../../components/schema-form/json-schema.ts";
import { ToolCallForm } from "../../../components/schema-form/tool-call-form.tsx";
import { CalledToolView } from "./called-tool-view.tsx";

interface CallFormProps {
  readonly agent: Agent;
  readonly tool: { readonly name: string; readonly input_schema?: unknown };
}

/**
 * A tool's arguments as a form, and what it answers to them. The schema of a tool whose code is deployed is not known here:
 * the platform checks the input.
 */
export function CallForm({ agent, tool: { name, input_schema = null } }: CallFormProps) {
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
      <ToolCallForm name={name} schema={input_schema} isPending={isPending} onCall={mutate}>
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
