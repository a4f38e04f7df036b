// First of all: what follows makes schemas.
import './jitless.ts';
import type { ChartSource } from '../chart.ts';
import { byId } from './dom.ts';
import { startLive } from './live.ts';
import { startPlayer } from './player.ts';

const charts = JSON.parse(byId('charts').textContent ?? '[]') as Omit<ChartSource, 'svg'>[];
if (new URLSearchParams(location.search).has('live')) startLive(charts);
else startPlayer(charts);
