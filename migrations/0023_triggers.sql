CREATE TABLE `triggers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`definition` text NOT NULL,
	`metadata` text NOT NULL,
	`end_user_id` text,
	`names_end_users` integer DEFAULT false NOT NULL,
	`webhook_form` text,
	`sealed` text,
	`old_sealed` text,
	`old_secret_expires_at` text,
	`status` text NOT NULL,
	`paused_reason` text,
	`due_after` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`armed_revision` integer DEFAULT 0 NOT NULL,
	`origin` text,
	`last_run_at` text,
	`failures_in_row` integer DEFAULT 0 NOT NULL,
	`missed_runs` integer DEFAULT 0 NOT NULL,
	`created_by_key_id` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE INDEX `triggers_tenant` ON `triggers` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `triggers_agent` ON `triggers` (`tenant_id`,`agent_id`,`id`);--> statement-breakpoint
CREATE INDEX `triggers_maker` ON `triggers` (`tenant_id`,`created_by_key_id`);--> statement-breakpoint
CREATE INDEX `triggers_end_users` ON `triggers` (`tenant_id`,`id`) WHERE "triggers"."names_end_users" = 1;--> statement-breakpoint
CREATE INDEX `triggers_unarmed` ON `triggers` (`updated_at`) WHERE "triggers"."armed_revision" <> "triggers"."revision" AND "triggers"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX `triggers_deleted` ON `triggers` (`deleted_at`) WHERE "triggers"."deleted_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `triggers` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `triggers_counted` AFTER INSERT ON `triggers` BEGIN
  UPDATE `tenant_counts` SET `triggers` = `triggers` + 1, `database_bytes` = `database_bytes` + 500 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded triggers') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`triggers` > coalesce(json_extract(`tenants`.`quotas`, '$.triggers'), 1000);
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `triggers_uncounted` AFTER DELETE ON `triggers` BEGIN
  UPDATE `tenant_counts` SET `triggers` = max(`triggers` - 1, 0), `database_bytes` = max(`database_bytes` - (500 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `triggers_resized` AFTER UPDATE OF `definition`, `metadata`, `sealed`, `old_sealed` ON `triggers` WHEN 500 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) <> 500 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0) BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (500 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0)) - (500 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 500 + ifnull(length(CAST(NEW.`definition` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`sealed` AS BLOB)), 0) + ifnull(length(CAST(NEW.`old_sealed` AS BLOB)), 0) > 500 + ifnull(length(CAST(OLD.`definition` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`sealed` AS BLOB)), 0) + ifnull(length(CAST(OLD.`old_sealed` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
-- Triggers of a deleted agent are paused, some hundred at a time: any other one finds it with its next run.
CREATE TRIGGER `agents_untriggered` AFTER UPDATE OF `deleted_at` ON `agents` WHEN OLD.`deleted_at` IS NULL AND NEW.`deleted_at` IS NOT NULL BEGIN
  UPDATE `triggers` SET `status` = 'paused', `revision` = `revision` + 1, `updated_at` = NEW.`deleted_at`,
    `paused_reason` = '{"type":"error","error":{"type":"agent_deleted","message":"The agent was deleted."}}'
    WHERE `id` IN (SELECT `id` FROM `triggers` WHERE `tenant_id` = NEW.`tenant_id` AND `agent_id` = NEW.`id` AND `status` <> 'paused' AND `deleted_at` IS NULL LIMIT 500);
END;
--> statement-breakpoint
DROP TRIGGER `audit_entries_sized`;
--> statement-breakpoint
-- A pause ends something, and is recorded whatever the quota says.
CREATE TRIGGER `audit_entries_sized` AFTER INSERT ON `audit_entries` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`target_id` AS BLOB)), 0) + ifnull(length(CAST(NEW.`before` AS BLOB)), 0) + ifnull(length(CAST(NEW.`after` AS BLOB)), 0) + ifnull(length(CAST(NEW.`address` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE NEW.`actor_kind` IN ('api_key', 'member') AND NEW.`action` NOT LIKE '%.deleted' AND NEW.`action` NOT IN ('api_key.revoked', 'session.rule_removed', 'console_session.ended', 'member.removed', 'memory.redacted', 'trigger.paused') AND (NEW.`actor_kind` <> 'member' OR NEW.`action` <> 'console_session.started') AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
