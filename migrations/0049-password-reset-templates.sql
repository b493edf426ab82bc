-- Messages about lost passwords. A shop that sends its own deactivates them. A template with such a slug that
-- exists already stays as it is.

-- in live, test

insert into marketing_templates (slug, channel, description, created_at, updated_at)
select slug, channel, description, now(), now() from (values
  ('password-reset', 'email', 'After a client asked for a new password by e-mail address'),
  ('password-reset', 'sms', 'After a client asked for a new password by phone number'),
  ('member-password-reset', 'email', 'After a member asked for a new password')
) as added (slug, channel, description)
on conflict (slug, channel) where deleted_at is null do nothing;

insert into marketing_template_versions (template_id, version, texts, created_at)
select template.id, 1, added.texts, now() from marketing_templates template join (values
  ('password-reset', 'email', json_build_object(
    'ru', json_build_object(
      'subject', 'Новый пароль',
      'text', E'Здравствуйте{{#client.name}}, {{client.name}}{{/client.name}}!\n\nКто-то попросил сменить пароль вашей учётной записи. Если это вы, откройте ссылку и придумайте новый пароль:\n\n{{password_reset.url}}\n\nСсылка действует один час и только один раз. Если это были не вы, ничего не делайте: пароль останется прежним.\n',
      'html', '<p>Здравствуйте{{#client.name}}, {{client.name}}{{/client.name}}!</p><p>Кто-то попросил сменить пароль вашей учётной записи. Если это вы, придумайте новый пароль:</p><p><a href="{{password_reset.url}}">Придумать новый пароль</a></p><p>Ссылка действует один час и только один раз. Если это были не вы, ничего не делайте: пароль останется прежним.</p>'),
    'uz', json_build_object(
      'subject', 'Yangi parol',
      'text', E'Assalomu alaykum{{#client.name}}, {{client.name}}{{/client.name}}!\n\nHisobingiz parolini almashtirish so‘raldi. Buni siz so‘ragan bo‘lsangiz, havolani oching va yangi parol o‘ylab toping:\n\n{{password_reset.url}}\n\nHavola bir soat va faqat bir marta ishlaydi. Siz so‘ramagan bo‘lsangiz, hech narsa qilmang: parol o‘zgarmaydi.\n',
      'html', '<p>Assalomu alaykum{{#client.name}}, {{client.name}}{{/client.name}}!</p><p>Hisobingiz parolini almashtirish so‘raldi. Buni siz so‘ragan bo‘lsangiz, yangi parol o‘ylab toping:</p><p><a href="{{password_reset.url}}">Yangi parol o‘ylab topish</a></p><p>Havola bir soat va faqat bir marta ishlaydi. Siz so‘ramagan bo‘lsangiz, hech narsa qilmang: parol o‘zgarmaydi.</p>'),
    'en', json_build_object(
      'subject', 'New password',
      'text', E'Hello{{#client.name}}, {{client.name}}{{/client.name}}!\n\nSomebody asked for a new password for your account. If it was you, open this link and choose one:\n\n{{password_reset.url}}\n\nThe link works for one hour and only once. If it was not you, do nothing: the password stays as it is.\n',
      'html', '<p>Hello{{#client.name}}, {{client.name}}{{/client.name}}!</p><p>Somebody asked for a new password for your account. If it was you, choose one:</p><p><a href="{{password_reset.url}}">Choose a new password</a></p><p>The link works for one hour and only once. If it was not you, do nothing: the password stays as it is.</p>'))),
  ('password-reset', 'sms', json_build_object(
    'ru', json_build_object('subject', null, 'text', 'Новый пароль: {{password_reset.url}} Ссылка действует один час. Если вы не просили, ничего не делайте.', 'html', null),
    'uz', json_build_object('subject', null, 'text', 'Yangi parol: {{password_reset.url}} Havola bir soat ishlaydi. So‘ramagan bo‘lsangiz, hech narsa qilmang.', 'html', null),
    'en', json_build_object('subject', null, 'text', 'New password: {{password_reset.url}} The link works for one hour. If you did not ask for it, do nothing.', 'html', null))),
  ('member-password-reset', 'email', json_build_object(
    'ru', json_build_object(
      'subject', 'Новый пароль сотрудника магазина',
      'text', E'Здравствуйте{{#client.name}}, {{client.name}}{{/client.name}}!\n\nКто-то попросил сменить ваш пароль сотрудника магазина. Если это вы, откройте ссылку и придумайте новый пароль:\n\n{{password_reset.url}}\n\nСсылка действует один час и только один раз. Если это были не вы, ничего не делайте и сообщите владельцу магазина.\n',
      'html', null),
    'uz', json_build_object(
      'subject', 'Do‘kon xodimining yangi paroli',
      'text', E'Assalomu alaykum{{#client.name}}, {{client.name}}{{/client.name}}!\n\nDo‘kon xodimi sifatidagi parolingizni almashtirish so‘raldi. Buni siz so‘ragan bo‘lsangiz, havolani oching va yangi parol o‘ylab toping:\n\n{{password_reset.url}}\n\nHavola bir soat va faqat bir marta ishlaydi. Siz so‘ramagan bo‘lsangiz, hech narsa qilmang va do‘kon egasiga xabar bering.\n',
      'html', null),
    'en', json_build_object(
      'subject', 'New password for the dashboard',
      'text', E'Hello{{#client.name}}, {{client.name}}{{/client.name}}!\n\nSomebody asked for a new password for your account as a member of the shop. If it was you, open this link and choose one:\n\n{{password_reset.url}}\n\nThe link works for one hour and only once. If it was not you, do nothing and tell the owner of the shop.\n',
      'html', null)))
) as added (slug, channel, texts) using (slug, channel)
where template.deleted_at is null and not exists (select 1 from marketing_template_versions version where version.template_id = template.id);
