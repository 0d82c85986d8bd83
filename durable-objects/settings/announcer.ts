import type { AbilityDefinition } from "../../agent/ability.ts";
import type { Announcement } from "../../protocol/webhooks/announcement.ts";
import type { LoggedEvent } from "../../protocol/events.ts";

/**
 * Announcements of these abilities. Of an event that several announce it is that of the first: an event of the log has one
 * entry in the outbox.
 */
export function announcer(
  abilities: readonly AbilityDefinition[],
): (event: LoggedEvent) => Announcement | null {
  const announcing = abilities.filter((ability) => "announces" in ability);
  return (event) => {
    for (const ability of announcing) {
      const announcement = ability.announces?.(event);
      if (announcement) return announcement;
    }
    return null;
  };
}
