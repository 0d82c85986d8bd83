-- A room may answer a trigger in place of an agent, whose column then is null. SQLite takes no NOT NULL off a column, so that
-- it is made anew; what refers to it goes before and comes back after.
DROP TRIGGER `agents_untriggered`;--> statement-breakpoint
DROP INDEX `triggers_agent`;--> statement-breakpoint
ALTER TABLE `triggers` RENAME COLUMN `agent_id` TO `old_agent_id`;--> statement-breakpoint
ALTER TABLE `triggers` ADD `agent_id` text;--> statement-breakpoint
UPDATE `triggers` SET `agent_id` = `old_agent_id`;--> statement-breakpoint
ALTER TABLE `triggers` DROP COLUMN `old_agent_id`;--> statement-breakpoint
ALTER TABLE `triggers` ADD `room_id` text;--> statement-breakpoint
CREATE INDEX `triggers_agent` ON `triggers` (`tenant_id`,`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `triggers_room` ON `triggers` (`tenant_id`,`room_id`,`id`) WHERE "triggers"."room_id" IS NOT NULL;
--> statement-breakpoint
-- Triggers of a deleted agent are paused, some hundred at a time: any other one finds it with its next run.
CREATE TRIGGER `agents_untriggered` AFTER UPDATE OF `deleted_at` ON `agents` WHEN OLD.`deleted_at` IS NULL AND NEW.`deleted_at` IS NOT NULL BEGIN
  UPDATE `triggers` SET `status` = 'paused', `revision` = `revision` + 1, `updated_at` = NEW.`deleted_at`,
    `paused_reason` = '{"type":"error","error":{"type":"agent_deleted","message":"The agent was deleted."}}'
    WHERE `id` IN (SELECT `id` FROM `triggers` WHERE `tenant_id` = NEW.`tenant_id` AND `agent_id` = NEW.`id` AND `status` <> 'paused' AND `deleted_at` IS NULL LIMIT 500);
END;
--> statement-breakpoint
-- As those of a deleted agent.
CREATE TRIGGER `rooms_untriggered` AFTER UPDATE OF `deleted_at` ON `rooms` WHEN OLD.`deleted_at` IS NULL AND NEW.`deleted_at` IS NOT NULL BEGIN
  UPDATE `triggers` SET `status` = 'paused', `revision` = `revision` + 1, `updated_at` = NEW.`deleted_at`,
    `paused_reason` = '{"type":"error","error":{"type":"room_deleted","message":"The room was deleted."}}'
    WHERE `id` IN (SELECT `id` FROM `triggers` WHERE `tenant_id` = NEW.`tenant_id` AND `room_id` = NEW.`id` AND `status` <> 'paused' AND `deleted_at` IS NULL LIMIT 500);
END;
