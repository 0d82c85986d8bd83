/** The ten minutes that a time is in, as the table `activity` names them: `2026-11-23T09:10`. */
export function slotOf(timestamp: string): string {
  return `${timestamp.slice(0, "YYYY-MM-DDTHH:M".length)}0`;
}
