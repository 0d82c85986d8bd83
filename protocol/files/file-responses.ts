// Response schemas for the OpenAPI document. Not used for validation at run time.
import { StoredFileSchema } from "./contract.ts";
import { pageOf } from "../responses.ts";

export const FilePageSchema = pageOf(StoredFileSchema);
