-- The W3C trace context of the request that published an event, for webhooks and the message bus.

-- in live, test

alter table outbox_events add column traceparent text;
