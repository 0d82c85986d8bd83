import * as z from "zod";

import { ToolNameSchema } from "./named-tool.ts";

/** A function deployed with the platform; its description and input schema come from the deployment. */
export const CodeToolReferenceSchema = z
  .strictObject({
    type: z.literal("code"),
    name: ToolNameSchema,
  })
  .meta({
    id: "CodeTool",
    description:
      "A function that was deployed with the platform. Its description, its schema and its flags are in the code.",
  });
