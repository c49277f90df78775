import {
  ChangeSettings,
  DeferCompactions,
  PinContent,
  ReleaseCompactions,
  UnpinContent,
} from '@app/application';
import {
  deferred,
  holdUntil,
  jsonObject,
  pin,
  pinKind,
  profileSource,
  released,
  settings,
} from '@app/contract';
import { PinId } from '@app/kernel';
import { Body, Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf, valid } from '../../http/valid.js';

import { customer, labelChanges, project, title, user, withIdentity } from '../description.js';
import { MANAGERS } from '../roles.js';
import { modelName, reason, reasonBody, window } from '../shapes.js';

const changeSettingsBody = z.strictObject({
  profile: profileSource.exactOptional(),
  overrides: jsonObject.exactOptional().describe('Single fields of the profile'),
  window: window.exactOptional(),
  model: modelName.exactOptional().describe('Model of the next requests'),
  system: z.string().exactOptional().describe('The system prompt of the next requests'),
  tools: listOf(jsonObject).exactOptional().describe('The tools of the next requests'),
  title: title.nullable().exactOptional().describe('Its title; `null` removes it'),
  project: project.nullable().exactOptional().describe('Its project; `null` removes it'),
  user: user.nullable().exactOptional().describe('The label `user`; `null` removes it'),
  customer: customer
    .nullable()
    .exactOptional()
    .describe('The label `customer`, a data subject of later content; `null` removes it'),
  labels: labelChanges.exactOptional().describe('Labels to set; `null` removes a label, other labels stay'),
});

const pinned = z.strictObject({
  kind: pinKind.default('constraint'),
  text: z.string().regex(/\S/, 'there is nothing to pin').describe('The content'),
});

const deferral = z.strictObject({ until: holdUntil.describe('End of the hold'), reason });

/** Settings, pins and deferrals of a session. */
@Controller()
export class SettingsController extends BusController {
  @Endpoint('PATCH', 'v1/sessions/:session/settings', {
    id: 'changeSettings',
    summary: 'Changes the named settings of a session.',
    roles: MANAGERS,
    content: 'none',
    body: changeSettingsBody,
    response: settings,
    errors: ['session-not-found', 'session-closed', 'unknown-profile', 'unknown-window', 'invalid-settings'],
  })
  change(
    @Body(valid(changeSettingsBody)) given: z.output<typeof changeSettingsBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    const { system, user: _, customer: __, labels: named, ...rest } = given;
    const labels = withIdentity<string | null>(given, named);
    const change = {
      ...rest,
      ...(system !== undefined && { systemPrompt: system }),
      ...(Object.keys(labels).length > 0 && { labels }),
    };
    return this.commands.execute(new ChangeSettings(ref, change, caller));
  }

  @Endpoint('PUT', 'v1/sessions/:session/pins/:pin', {
    id: 'pinContent',
    summary: 'Pins content that every request carries, and returns all pins.',
    roles: MANAGERS,
    content: { in: ['[].text'] },
    body: pinned,
    response: z.array(pin),
    errors: ['session-not-found', 'session-closed', 'invalid-id'],
  })
  pin(
    @Param('pin') name: string,
    @Body(valid(pinned)) content: z.output<typeof pinned>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new PinContent(ref, { pinId: PinId(name), ...content }, caller));
  }

  @Endpoint('DELETE', 'v1/sessions/:session/pins/:pin', {
    id: 'unpinContent',
    summary: 'Removes a pin and returns the remaining pins.',
    roles: MANAGERS,
    content: { in: ['[].text'] },
    response: z.array(pin),
    errors: ['session-not-found', 'session-closed', 'pin-not-found', 'invalid-id'],
  })
  unpin(@Param('pin') name: string, @CurrentCaller() { ref, caller }: ApiCaller) {
    return this.commands.execute(new UnpinContent(ref, PinId(name), caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/defer', {
    id: 'deferCompactions',
    summary: 'Defers automatic compactions while requests still fit.',
    roles: MANAGERS,
    content: 'none',
    body: deferral,
    response: deferred,
    errors: ['session-not-found', 'session-closed', 'invalid-settings'],
  })
  async defer(
    @Body(valid(deferral)) hold: z.output<typeof deferral>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    await this.commands.execute(new DeferCompactions(ref, hold, caller));
    return { session: ref.session, until: hold.until };
  }

  @Endpoint('POST', 'v1/sessions/:session/release', {
    id: 'releaseCompactions',
    summary: 'Resumes automatic compactions and starts the deferred one.',
    roles: MANAGERS,
    content: 'none',
    body: reasonBody,
    response: released,
    errors: ['session-not-found', 'session-closed'],
  })
  release(
    @Body(valid(reasonBody)) { reason: why }: z.output<typeof reasonBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ReleaseCompactions(ref, why, caller));
  }
}
