// Replaces the script that daily-js 0.87 loads from c.daily.co to join a room, and speaks the script’s protocol
// over window.postMessage: real microphone, real audio element, no network. The protocol is private, so with another
// version of daily-js the tests of voice calls fail.
(() => {
  const machine = (window.callMachine ??= { config: {}, made: 0 });
  for (const id of window._daily.pendings.splice(0)) {
    const state = { local: { public: { subscribedTracks: {} }, streams: {} }, participants: {}, streams: {} };
    const tell = (message) =>
      window.postMessage({ what: 'iframe-call-message', callClientId: id, ...message }, location.origin);
    // The page may have ended the call.
    const instance = window._daily.instances[id];
    if (!instance) continue;
    Object.assign(machine, { tell, made: machine.made + 1 });
    instance.callMachine = { store: { getState: () => state }, reset() {} };
    const assistant = (audio) => ({
      session_id: 'bot-1',
      local: false,
      user_name: 'Vapi Speaker',
      audio: false,
      video: false,
      screen: false,
      tracks: { audio: { subscribed: audio !== 'off', state: audio }, video: { state: 'off' } },
    });
    const does = {
      async 'join-meeting'() {
        if (machine.config.refuses) {
          const { type, msg } = machine.config.refuses;
          return tell({ action: 'error', errorMsg: msg, error: { type, msg } });
        }
        try {
          const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
          state.local.streams.cam = { stream };
          machine.microphone = stream.getAudioTracks()[0];
        } catch (error) {
          const cause = { type: 'permissions', msg: error.message, blockedBy: 'user', blockedMedia: ['audio'] };
          tell({ action: 'camera-error', errorMsg: { errorMsg: error.message }, error: cause });
        }
        tell({ action: 'call-machine-initialized' });
        const tracks = { audio: { subscribed: true, state: 'playable' }, video: { state: 'off' } };
        const local = {
          session_id: 'me',
          local: true,
          user_name: '',
          audio: true,
          video: false,
          screen: false,
          tracks,
        };
        tell({ action: 'joined-meeting', internal: { _maxAppMessageSize: 65536 }, participants: { local } });
      },
      // The library makes this call after it has added all its listeners.
      'start-remote-participants-audio-level-observer'({ action, callbackStamp }) {
        tell({ action, callbackStamp });
        if (!machine.config.alone) tell({ action: 'participant-joined', participant: assistant('off') });
      },
      'update-participant'() {
        const context = new AudioContext();
        const tone = context.createOscillator();
        const quiet = context.createGain();
        const out = context.createMediaStreamDestination();
        quiet.gain.value = 0.01;
        tone.connect(quiet).connect(out);
        tone.start();
        state.streams.s1 = {
          participantId: 'bot-1',
          type: 'cam',
          pendingTrack: out.stream.getAudioTracks()[0],
          starttime: new Date().toISOString(),
        };
        tell({ action: 'participant-updated', participant: assistant('playable') });
      },
      'app-msg'(message) {
        if (message.data === 'playable' && !machine.config.deaf)
          tell({ action: 'app-message', data: 'listening', fromId: 'bot-1' });
      },
      'local-audio'(message) {
        if (machine.microphone) machine.microphone.enabled = message.state;
      },
      'leave-meeting'() {
        machine.microphone?.stop();
        tell({ action: 'left-meeting' });
      },
    };
    window.addEventListener('message', ({ data: message }) => {
      if (message?.what !== 'iframe-call-message' || message.from !== 'module' || message.callClientId !== id) return;
      if (does[message.action]) return void does[message.action](message);
      if (!message.callbackStamp) return;
      const settings = message.action === 'update-input-settings' && { inputSettings: message.inputSettings };
      tell({ ...settings, action: message.action, callbackStamp: message.callbackStamp });
    });
  }
})();
