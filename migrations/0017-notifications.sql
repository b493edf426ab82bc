-- What is written to buyers: templates, notifications and every try, who agreed to be written to, and where his devices are.

-- in live, test

-- One template a slug and channel. Texts live in versions that never change, so what was sent can be shown as it was.
create table marketing_templates (
  id          int8 generated always as identity primary key,
  slug        text not null,
  channel     text not null check (channel in ('email', 'sms', 'push')),
  description text not null default '',
  is_active   bool not null default true,
  version     int8 not null default 1,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  deleted_at  timestamptz
);
create unique index marketing_templates_slug on marketing_templates (slug, channel) where deleted_at is null;

create table marketing_template_versions (
  template_id int8 not null references marketing_templates,
  version     int8 not null,
  texts       json not null,
  created_at  timestamptz not null,
  primary key (template_id, version)
);

-- One message to one person over one channel. It has an instant to be sent at until it has ended.
create table marketing_notifications (
  id               uuid primary key,
  key              text not null,
  category         text not null check (category in ('transactional', 'marketing')),
  channel          text not null check (channel in ('email', 'sms', 'push')),
  client_id        int8,
  address          text,
  template_id      int8 not null,
  template_version int8 not null,
  language         text not null check (language in ('ru', 'uz', 'en')),
  variables        json not null,
  campaign_id      int8,
  status           text not null check (status in
    ('queued', 'sending', 'retrying', 'held', 'sent', 'dead', 'suppressed', 'cancelled')),
  reason           text,
  attempts         int4 not null default 0,
  forgiven         int4 not null default 0,
  next_at          timestamptz,
  lease            uuid,
  leased_until     timestamptz,
  provider_id      text,
  created_at       timestamptz not null,
  ended_at         timestamptz,
  delivered_at     timestamptz,
  opened_at        timestamptz,
  clicked_at       timestamptz,
  constraint marketing_notifications_key unique (key),
  foreign key (template_id, template_version) references marketing_template_versions
) with (fillfactor = 80);
create index marketing_notifications_due on marketing_notifications (channel, category, next_at, id)
  where next_at is not null;
create index marketing_notifications_log on marketing_notifications (created_at, (id::text));
create index marketing_notifications_client on marketing_notifications (client_id, created_at, (id::text))
  where client_id is not null;
create index marketing_notifications_campaign on marketing_notifications (campaign_id, created_at, (id::text))
  where campaign_id is not null;
create index marketing_notifications_status on marketing_notifications (status, created_at, (id::text));
create index marketing_notifications_lease on marketing_notifications (lease) where lease is not null;

create table marketing_attempts (
  notification_id uuid not null references marketing_notifications on delete cascade,
  number          int4 not null,
  at              timestamptz not null,
  milliseconds    int4 not null,
  outcome         text not null check (outcome in ('sent', 'failed', 'refused')),
  status          int4,
  reply           text,
  error           text,
  primary key (notification_id, number)
);

-- Whether somebody wants to be written to, as he last said; a holder is `client/12` or a bare address.
create table marketing_consents (
  id         uuid primary key,
  holder     text not null,
  client_id  int8,
  channel    text not null check (channel in ('email', 'sms', 'push')),
  category   text not null check (category = 'marketing'),
  is_granted bool not null,
  source     text not null,
  at         timestamptz not null,
  constraint marketing_consents_holder unique (holder, channel, category)
);
create index on marketing_consents (client_id) where client_id is not null;
create index on marketing_consents (at, id);

-- Everything that was ever said about it: the proof.
create table marketing_consent_changes (
  consent_id uuid not null references marketing_consents,
  number     int4 not null,
  is_granted bool not null,
  source     text not null,
  at         timestamptz not null,
  primary key (consent_id, number)
);

-- In which language a client wants to be written to.
create table marketing_languages (
  client_id int8 primary key,
  language  text not null check (language in ('ru', 'uz', 'en'))
);

-- Where push messages to a client go.
create table marketing_devices (
  token      text primary key,
  id         uuid not null unique,
  client_id  int8 not null,
  platform   text not null check (platform in ('ios', 'android', 'web')),
  created_at timestamptz not null,
  seen_at    timestamptz not null
);
create index on marketing_devices (client_id, seen_at);

-- What every shop says from its first day; an operator changes it as any other template.
insert into marketing_templates (slug, channel, description, created_at, updated_at)
select slug, channel, description, now(), now() from (values
  ('order-placed', 'email', 'After an order was made, to clients with an e-mail'),
  ('order-placed', 'sms', 'After an order was made, to clients with a telephone alone'),
  ('order-shipped', 'email', 'When a parcel is on its way, to clients with an e-mail'),
  ('order-shipped', 'sms', 'When a parcel is on its way, to clients with a telephone alone')
) as house (slug, channel, description);

insert into marketing_template_versions (template_id, version, texts, created_at)
select template.id, 1, house.texts, now() from marketing_templates template join (values
  ('order-placed', 'email', json_build_object(
    'ru', json_build_object(
      'subject', 'Заказ {{order.id}} принят',
      'text', E'Здравствуйте{{#client.name}}, {{client.name}}{{/client.name}}!\n\nМы получили ваш заказ {{order.id}}.\n\n{{#order.lines}}{{name}} × {{quantity}}: {{amount}}\n{{/order.lines}}\nВсего: {{order.total}}\nДоставка: {{order.address}}\n',
      'html', '<p>Здравствуйте{{#client.name}}, {{client.name}}{{/client.name}}!</p><p>Мы получили ваш заказ <b>{{order.id}}</b>.</p><table cellpadding="6">{{#order.lines}}<tr><td>{{name}}</td><td>× {{quantity}}</td><td align="right">{{amount}}</td></tr>{{/order.lines}}<tr><td colspan="2"><b>Всего</b></td><td align="right"><b>{{order.total}}</b></td></tr></table><p>Доставка: {{order.address}}</p>'),
    'uz', json_build_object(
      'subject', 'Buyurtma {{order.id}} qabul qilindi',
      'text', E'Assalomu alaykum{{#client.name}}, {{client.name}}{{/client.name}}!\n\nBuyurtmangizni oldik: {{order.id}}.\n\n{{#order.lines}}{{name}} × {{quantity}}: {{amount}}\n{{/order.lines}}\nJami: {{order.total}}\nYetkazish manzili: {{order.address}}\n',
      'html', '<p>Assalomu alaykum{{#client.name}}, {{client.name}}{{/client.name}}!</p><p>Buyurtmangizni oldik: <b>{{order.id}}</b>.</p><table cellpadding="6">{{#order.lines}}<tr><td>{{name}}</td><td>× {{quantity}}</td><td align="right">{{amount}}</td></tr>{{/order.lines}}<tr><td colspan="2"><b>Jami</b></td><td align="right"><b>{{order.total}}</b></td></tr></table><p>Yetkazish manzili: {{order.address}}</p>'),
    'en', json_build_object(
      'subject', 'Order {{order.id}} received',
      'text', E'Hello{{#client.name}}, {{client.name}}{{/client.name}}!\n\nWe have received your order {{order.id}}.\n\n{{#order.lines}}{{name}} × {{quantity}}: {{amount}}\n{{/order.lines}}\nTotal: {{order.total}}\nDelivery: {{order.address}}\n',
      'html', '<p>Hello{{#client.name}}, {{client.name}}{{/client.name}}!</p><p>We have received your order <b>{{order.id}}</b>.</p><table cellpadding="6">{{#order.lines}}<tr><td>{{name}}</td><td>× {{quantity}}</td><td align="right">{{amount}}</td></tr>{{/order.lines}}<tr><td colspan="2"><b>Total</b></td><td align="right"><b>{{order.total}}</b></td></tr></table><p>Delivery: {{order.address}}</p>'))),
  ('order-placed', 'sms', json_build_object(
    'ru', json_build_object('subject', null, 'text', 'Заказ {{order.id}} принят: {{order.total}}', 'html', null),
    'uz', json_build_object('subject', null, 'text', 'Buyurtma {{order.id}} qabul qilindi: {{order.total}}', 'html', null),
    'en', json_build_object('subject', null, 'text', 'Order {{order.id}} received: {{order.total}}', 'html', null))),
  ('order-shipped', 'email', json_build_object(
    'ru', json_build_object(
      'subject', 'Заказ {{order.id}} в пути',
      'text', E'Здравствуйте{{#client.name}}, {{client.name}}{{/client.name}}!\n\nПосылка по заказу {{order.id}} отправлена.\n\n{{#order.lines}}{{name}} × {{quantity}}\n{{/order.lines}}{{#order.carrier}}\nСлужба доставки: {{order.carrier}}{{/order.carrier}}{{#order.tracking_number}}\nНомер отправления: {{order.tracking_number}}{{/order.tracking_number}}\nАдрес: {{order.address}}\n',
      'html', null),
    'uz', json_build_object(
      'subject', 'Buyurtma {{order.id}} yo‘lda',
      'text', E'Assalomu alaykum{{#client.name}}, {{client.name}}{{/client.name}}!\n\n{{order.id}} buyurtmangiz jo‘natildi.\n\n{{#order.lines}}{{name}} × {{quantity}}\n{{/order.lines}}{{#order.carrier}}\nYetkazib beruvchi: {{order.carrier}}{{/order.carrier}}{{#order.tracking_number}}\nJo‘natma raqami: {{order.tracking_number}}{{/order.tracking_number}}\nManzil: {{order.address}}\n',
      'html', null),
    'en', json_build_object(
      'subject', 'Order {{order.id}} is on its way',
      'text', E'Hello{{#client.name}}, {{client.name}}{{/client.name}}!\n\nA parcel of your order {{order.id}} is on its way.\n\n{{#order.lines}}{{name}} × {{quantity}}\n{{/order.lines}}{{#order.carrier}}\nCarrier: {{order.carrier}}{{/order.carrier}}{{#order.tracking_number}}\nTracking number: {{order.tracking_number}}{{/order.tracking_number}}\nAddress: {{order.address}}\n',
      'html', null))),
  ('order-shipped', 'sms', json_build_object(
    'ru', json_build_object('subject', null, 'text', 'Заказ {{order.id}} в пути{{#order.tracking_number}}, номер {{order.tracking_number}}{{/order.tracking_number}}', 'html', null),
    'uz', json_build_object('subject', null, 'text', 'Buyurtma {{order.id}} yo‘lda{{#order.tracking_number}}, raqami {{order.tracking_number}}{{/order.tracking_number}}', 'html', null),
    'en', json_build_object('subject', null, 'text', 'Order {{order.id}} is on its way{{#order.tracking_number}}, number {{order.tracking_number}}{{/order.tracking_number}}', 'html', null)))
) as house (slug, channel, texts) using (slug, channel);
