-- Rooms, those who take part in them, and the rooms of sessions. What a room has said is in its object.
CREATE TABLE `room_inputs` (
	`room_id` text NOT NULL,
	`turn_id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`participant` text NOT NULL,
	`form` text,
	`asked_at` text NOT NULL,
	`expires_at` text,
	PRIMARY KEY(`room_id`, `turn_id`)
);
--> statement-breakpoint
CREATE INDEX `room_inputs_tenant` ON `room_inputs` (`tenant_id`,`asked_at`,`turn_id`);--> statement-breakpoint
CREATE TABLE `room_members` (
	`room_id` text NOT NULL,
	`name` text NOT NULL,
	`tenant_id` text NOT NULL,
	`kind` text NOT NULL,
	`number` integer NOT NULL,
	`agent_id` text,
	`session_id` text,
	`end_user_id` text,
	`joined_at` text NOT NULL,
	`left_at` text,
	PRIMARY KEY(`room_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `room_members_tenant` ON `room_members` (`tenant_id`,`room_id`);--> statement-breakpoint
CREATE INDEX `room_members_agent` ON `room_members` (`tenant_id`,`agent_id`,`room_id`) WHERE "room_members"."agent_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `room_members_end_user` ON `room_members` (`tenant_id`,`end_user_id`,`room_id`) WHERE "room_members"."end_user_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `rooms` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`title` text,
	`metadata` text NOT NULL,
	`turns` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`created_at` text NOT NULL,
	`request_key` text,
	`deleted_at` text
);
--> statement-breakpoint
CREATE INDEX `rooms_tenant` ON `rooms` (`tenant_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `rooms_request` ON `rooms` (`tenant_id`,`request_key`) WHERE "rooms"."request_key" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `rooms_deleted` ON `rooms` (`deleted_at`) WHERE "rooms"."deleted_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant_counts` ADD `rooms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `room_id` text;
--> statement-breakpoint
CREATE TRIGGER `rooms_counted` AFTER INSERT ON `rooms` BEGIN
  UPDATE `tenant_counts` SET `rooms` = `rooms` + 1, `stored_bytes` = `stored_bytes` + NEW.`bytes`, `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`title` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`turns` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded rooms') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`rooms` > coalesce(json_extract(`tenants`.`quotas`, '$.rooms'), 10000);
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
  SELECT RAISE(ABORT, 'quota_exceeded stored_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`stored_bytes` > json_extract(`tenants`.`quotas`, '$.stored_bytes');
END;
--> statement-breakpoint
CREATE TRIGGER `rooms_uncounted` AFTER DELETE ON `rooms` BEGIN
  UPDATE `tenant_counts` SET `rooms` = max(`rooms` - 1, 0), `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0), `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`title` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`turns` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
-- What a room has grown to is told when it is on disk, and so never refused.
CREATE TRIGGER `rooms_recounted` AFTER UPDATE OF `bytes` ON `rooms` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `rooms_resized` AFTER UPDATE OF `title`, `metadata`, `turns` ON `rooms` WHEN NEW.`title` IS NOT OLD.`title` OR NEW.`metadata` IS NOT OLD.`metadata` OR NEW.`turns` IS NOT OLD.`turns` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (300 + ifnull(length(CAST(NEW.`title` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`turns` AS BLOB)), 0)) - (300 + ifnull(length(CAST(OLD.`title` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`turns` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE 300 + ifnull(length(CAST(NEW.`title` AS BLOB)), 0) + ifnull(length(CAST(NEW.`metadata` AS BLOB)), 0) + ifnull(length(CAST(NEW.`turns` AS BLOB)), 0) > 300 + ifnull(length(CAST(OLD.`title` AS BLOB)), 0) + ifnull(length(CAST(OLD.`metadata` AS BLOB)), 0) + ifnull(length(CAST(OLD.`turns` AS BLOB)), 0) AND `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `room_members_sized` AFTER INSERT ON `room_members` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
  SELECT RAISE(ABORT, 'quota_exceeded database_bytes') FROM `tenant_counts` JOIN `tenants` ON `tenants`.`id` = `tenant_counts`.`tenant_id`
    WHERE `tenant_counts`.`tenant_id` = NEW.`tenant_id` AND `tenant_counts`.`database_bytes` > coalesce(json_extract(`tenants`.`quotas`, '$.database_bytes'), 1000000000);
END;
--> statement-breakpoint
CREATE TRIGGER `room_members_resized` AFTER UPDATE OF `end_user_id` ON `room_members` WHEN NEW.`end_user_id` IS NOT OLD.`end_user_id` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` + (300 + ifnull(length(CAST(NEW.`name` AS BLOB)), 0) + ifnull(length(CAST(NEW.`end_user_id` AS BLOB)), 0)) - (300 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `room_members_unsized` AFTER DELETE ON `room_members` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`name` AS BLOB)), 0) + ifnull(length(CAST(OLD.`end_user_id` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
--> statement-breakpoint
-- Written by the platform about what has happened: counted, and never refused.
CREATE TRIGGER `room_inputs_sized` AFTER INSERT ON `room_inputs` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 300 + ifnull(length(CAST(NEW.`participant` AS BLOB)), 0) + ifnull(length(CAST(NEW.`form` AS BLOB)), 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `room_inputs_unsized` AFTER DELETE ON `room_inputs` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (300 + ifnull(length(CAST(OLD.`participant` AS BLOB)), 0) + ifnull(length(CAST(OLD.`form` AS BLOB)), 0)), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;
