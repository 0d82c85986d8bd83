import { failure } from "../answer-shape.ts";
import { runCodeTool, type CodeTool } from "../code.ts";
import { NOT_SENT, type ToolKindOf } from "../tool-kind.ts";
import type { ToolProvider } from "../tool-provider.ts";

/** Functions of this deployment. One that is no longer deployed is not offered. */
export const CODE_KIND: ToolKindOf<"code"> = {
  provide: (references, { codeTools }) => deployedTools(references, codeTools),
  async check(reference, { codeTools }) {
    if (codeTools.some(({ name }) => name === reference.name)) {
      return {
        ...NOT_SENT,
        status: "ok",
        note: "It is deployed with the platform.",
        hint: null,
      };
    }
    return {
      ...NOT_SENT,
      status: "failed",
      kind: "not_found",
      note: "It is not deployed with the platform any more.",
      hint: "Leave it out, or ask the operator to deploy it.",
    };
  },
};

function deployedTools(
  references: readonly { readonly name: string }[],
  deployed: readonly CodeTool[],
): ToolProvider {
  const named = new Set(references.map(({ name }) => name));
  const tools = deployed.filter(({ name }) => named.has(name));
  return {
    tools,
    owns: (name) => named.has(name),
    async *run(request, stop) {
      const tool = tools.find(({ name }) => name === request.name);
      if (tool) yield* runCodeTool({ tool, request, stop });
      else yield* failure(`${request.name} is not deployed any more.`);
    },
  };
}
