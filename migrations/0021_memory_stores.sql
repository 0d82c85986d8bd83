CREATE TABLE `memory_stores` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`end_user_id` text,
	`memories` integer NOT NULL,
	`bytes` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE INDEX `memory_stores_tenant` ON `memory_stores` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `memory_stores_agent` ON `memory_stores` (`tenant_id`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `memory_stores_end_user` ON `memory_stores` (`tenant_id`,`end_user_id`,`id`);--> statement-breakpoint
CREATE INDEX `memory_stores_deleted` ON `memory_stores` (`deleted_at`) WHERE "memory_stores"."deleted_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `memory_stores` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `memory_stores_counted` AFTER INSERT ON `memory_stores` BEGIN
  UPDATE `tenant_counts` SET `memory_stores` = `memory_stores` + 1, `stored_bytes` = `stored_bytes` + NEW.`bytes`, `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  INSERT INTO `end_user_counts` (`tenant_id`, `holder`, `stored_bytes`) SELECT NEW.`tenant_id`, 'u:' || NEW.`end_user_id`, NEW.`bytes` WHERE NEW.`end_user_id` IS NOT NULL AND NEW.`bytes` > 0
    ON CONFLICT DO UPDATE SET `stored_bytes` = `stored_bytes` + excluded.`stored_bytes`;
  SELECT RAISE(ABORT, 'quota_exceeded memory_stores') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`memory_stores` > coalesce(json_extract(`tenants`.`quotas`, '$.memory_stores'), 100000);
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
  SELECT RAISE(ABORT, 'quota_exceeded stored_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`stored_bytes` > json_extract(`tenants`.`quotas`, '$.stored_bytes');
END;
--> statement-breakpoint
-- What a store has grown to is told when it is on disk, and so never refused.
CREATE TRIGGER `memory_stores_recounted` AFTER UPDATE OF `bytes` ON `memory_stores` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0) WHERE `tenant_id` = NEW.`tenant_id`;
  INSERT INTO `end_user_counts` (`tenant_id`, `holder`, `stored_bytes`) SELECT NEW.`tenant_id`, 'u:' || NEW.`end_user_id`, max(NEW.`bytes` - OLD.`bytes`, 0) WHERE NEW.`end_user_id` IS NOT NULL AND NEW.`bytes` > 0
    ON CONFLICT DO UPDATE SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0);
END;
--> statement-breakpoint
CREATE TRIGGER `memory_stores_uncounted` AFTER DELETE ON `memory_stores` BEGIN
  UPDATE `tenant_counts` SET `memory_stores` = max(`memory_stores` - 1, 0), `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0), `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
  UPDATE `end_user_counts` SET `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0) WHERE OLD.`end_user_id` IS NOT NULL AND `tenant_id` = OLD.`tenant_id` AND `holder` = 'u:' || OLD.`end_user_id`;
END;
--> statement-breakpoint
-- The stores of a deleted agent are erased by the sweep, some hundred at a time: it marks the next ones before it erases these.
CREATE TRIGGER `agents_forgotten` AFTER UPDATE OF `deleted_at` ON `agents` WHEN OLD.`deleted_at` IS NULL AND NEW.`deleted_at` IS NOT NULL BEGIN
  UPDATE `memory_stores` SET `deleted_at` = NEW.`deleted_at` WHERE `id` IN
    (SELECT `id` FROM `memory_stores` WHERE `tenant_id` = NEW.`tenant_id` AND `agent_id` = NEW.`id` AND `deleted_at` IS NULL LIMIT 500);
END;
--> statement-breakpoint
DROP TRIGGER `audit_entries_sized`;
--> statement-breakpoint
-- A redaction ends something, and is recorded whatever the quota says.
CREATE TRIGGER `audit_entries_sized` AFTER INSERT ON `audit_entries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`target_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`before` AS BLOB)), 0) + ifnull(length(CAST(NEW.`after` AS BLOB)), 0) + ifnull(length(CAST(NEW.`address` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`actor_kind` IN ('api_key', 'member') AND NEW.`action` NOT LIKE '%.deleted' AND NEW.`action` NOT IN ('api_key.revoked', 'session.rule_removed', 'console_session.ended', 'member.removed', 'memory.redacted') AND (NEW.`actor_kind` <> 'member' OR NEW.`action` <> 'console_session.started') AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
