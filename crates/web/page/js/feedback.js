// @ts-check
// Sound and vibration in a game. Both are off until the player turns them on. The sounds are short synthesized tones.
import { recall, remember } from './storage.js';

/** What happens in a game. @typedef {'slide' | 'blocked' | 'solved'} GameEvent */
/** A tone: frequency in hertz, start and duration in seconds. @typedef {[frequency: number, start: number, duration: number]} Tone */

/** The tones of an event, and its vibration as milliseconds on, off, on. @type {Record<GameEvent, {shape: OscillatorType, tones: Tone[], vibration: number[]}>} */
const SIGNALS = {
  slide: { shape: 'triangle', tones: [[196, 0, 0.07]], vibration: [12] },
  blocked: { shape: 'square', tones: [[82, 0, 0.09]], vibration: [25, 40, 25] },
  // A major chord, one note after another.
  solved: { shape: 'triangle', tones: [[262, 0.1, 0.18], [330, 0.22, 0.18], [392, 0.34, 0.18], [523, 0.46, 0.4]], vibration: [40, 60, 40, 60, 120] },
};
/** The loudness of a tone, from 0 to 1. */
const LOUDNESS = 0.12;
/** Duration in seconds in which a tone starts, so that it does not click. */
const ATTACK = 0.008;

/** The names of the settings. @typedef {'sound' | 'vibration'} Feedback */

/** @param {Feedback} kind */
export const isOn = (kind) => recall(kind, /** @type {unknown} */ (false)) === true;

/** @param {Feedback} kind @param {boolean} on */
export const turn = (kind, on) => void remember(kind, on);

/** Whether the device can vibrate, as far as the browser says. */
export const canVibrate = () => 'vibrate' in navigator;

/** Made when the first sound is played, which follows an input of the player. @type {AudioContext | null} */
let audio = null;

/** Signals an event by sound and vibration, as far as they are turned on. @param {GameEvent} event */
export function signalEvent(event) {
  const { shape, tones, vibration } = SIGNALS[event];
  if (isOn('vibration') && canVibrate()) navigator.vibrate(vibration);
  if (!isOn('sound')) return;
  audio ??= new AudioContext();
  // A context that starts before an input of the player is suspended.
  if (audio.state === 'suspended') audio.resume().catch(() => {});
  for (const tone of tones) play(audio, shape, tone);
}

/** @param {AudioContext} audio @param {OscillatorType} shape @param {Tone} tone */
function play(audio, shape, [frequency, start, duration]) {
  const [from, to] = [audio.currentTime + start, audio.currentTime + start + duration];
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(LOUDNESS, from + ATTACK);
  gain.gain.exponentialRampToValueAtTime(0.001, to);
  const source = new OscillatorNode(audio, { type: shape, frequency });
  source.connect(gain).connect(audio.destination);
  source.start(from);
  source.stop(to);
}
