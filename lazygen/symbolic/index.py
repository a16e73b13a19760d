"""Which family holds a name: made by `python -m lazygen.symbolic.make_index`, held up to date by a test."""

from __future__ import annotations

FAMILIES: dict[str, str] = {
    name: family
    for family, names in (
        ("activations", """
            F.alpha_dropout F.celu F.celu_ F.dropout F.dropout1d F.dropout2d F.dropout3d F.elu F.elu_
            F.feature_alpha_dropout F.gelu F.glu F.gumbel_softmax F.hardshrink F.hardsigmoid F.hardswish F.hardtanh
            F.hardtanh_ F.leaky_relu F.leaky_relu_ F.log_softmax F.logsigmoid F.mish F.prelu F.relu F.relu6 F.relu_
            F.rrelu F.rrelu_ F.selu F.selu_ F.silu F.softmax F.softmin F.softplus F.softshrink F.softsign
            F.tanhshrink F.threshold F.threshold_ Tensor.hardshrink Tensor.log_softmax Tensor.prelu Tensor.softmax
            torch.alpha_dropout torch.celu torch.dropout torch.feature_dropout torch.hardshrink torch.log_softmax
            torch.prelu torch.rrelu torch.selu torch.softmax torch.softshrink torch.special.log_softmax
            torch.special.softmax torch.threshold
        """),
        ("arrange", """
            Tensor.adjoint Tensor.diagonal Tensor.flip Tensor.fliplr Tensor.flipud Tensor.moveaxis Tensor.movedim
            Tensor.permute Tensor.repeat Tensor.repeat_interleave Tensor.roll Tensor.rot90 Tensor.swapaxes
            Tensor.swapdims Tensor.t Tensor.tile Tensor.transpose torch.adjoint torch.diagonal torch.flip
            torch.fliplr torch.flipud torch.linalg.diagonal torch.moveaxis torch.movedim torch.permute
            torch.repeat_interleave torch.roll torch.rot90 torch.swapaxes torch.swapdims torch.t torch.tile
            torch.transpose
        """),
        ("attention", """
            F.multi_head_attention_forward
        """),
        ("comparison", """
            Tensor.allclose Tensor.eq Tensor.equal Tensor.ge Tensor.greater Tensor.greater_equal Tensor.gt
            Tensor.is_same_size Tensor.isclose Tensor.le Tensor.less Tensor.less_equal Tensor.lt Tensor.ne
            Tensor.not_equal torch.allclose torch.eq torch.equal torch.ge torch.greater torch.greater_equal torch.gt
            torch.is_same_size torch.isclose torch.isin torch.le torch.less torch.less_equal torch.lt torch.ne
            torch.not_equal
        """),
        ("conversions", """
            Tensor.__array__ Tensor.backward Tensor.bfloat16 Tensor.bool Tensor.byte Tensor.cdouble Tensor.cfloat
            Tensor.chalf Tensor.char Tensor.clone Tensor.coalesce Tensor.contiguous Tensor.cpu Tensor.cuda
            Tensor.data_ptr Tensor.dequantize Tensor.detach Tensor.detach_ Tensor.dim Tensor.double
            Tensor.element_size Tensor.float Tensor.get_device Tensor.half Tensor.int Tensor.is_complex
            Tensor.is_conj Tensor.is_contiguous Tensor.is_floating_point Tensor.is_inference Tensor.is_nonzero
            Tensor.is_pinned Tensor.is_shared Tensor.is_signed Tensor.item Tensor.long Tensor.ndimension
            Tensor.nelement Tensor.numel Tensor.numpy Tensor.pin_memory Tensor.refine_names Tensor.register_hook
            Tensor.register_post_accumulate_grad_hook Tensor.rename Tensor.requires_grad_ Tensor.retain_grad
            Tensor.share_memory_ Tensor.short Tensor.size Tensor.storage_offset Tensor.stride Tensor.to
            Tensor.to_dense Tensor.tolist Tensor.type Tensor.type_as torch.can_cast torch.clone torch.detach
            torch.detach_copy torch.finfo torch.iinfo torch.is_complex torch.is_conj torch.is_floating_point
            torch.is_inference torch.is_nonzero torch.is_tensor torch.numel torch.promote_types torch.result_type
        """),
        ("convolution", """
            F.conv1d F.conv2d F.conv3d F.conv_transpose1d F.conv_transpose2d F.conv_transpose3d torch.conv1d
            torch.conv2d torch.conv3d torch.conv_transpose1d torch.conv_transpose2d torch.conv_transpose3d
        """),
        ("diagonals", """
            Tensor.diag Tensor.diag_embed Tensor.diagflat Tensor.diagonal_scatter Tensor.diff Tensor.fill_diagonal_
            Tensor.trace torch.cumulative_trapezoid torch.diag torch.diag_embed torch.diagflat
            torch.diagonal_scatter torch.diff torch.gradient torch.linalg.diag_embed torch.trace torch.trapezoid
            torch.trapz
        """),
        ("einsum", """
            torch.einsum
        """),
        ("embedding_bag", """
            F.embedding_bag
        """),
        ("factories", """
            Tensor.new Tensor.new_empty Tensor.new_full Tensor.new_ones Tensor.new_tensor Tensor.new_zeros
            torch.as_tensor torch.asarray torch.complex torch.empty torch.empty_like torch.from_numpy torch.full
            torch.full_like torch.ones torch.ones_like torch.polar torch.rand torch.rand_like torch.randn
            torch.randn_like torch.scalar_tensor torch.tensor torch.zeros torch.zeros_like
        """),
        ("factorizations", """
            Tensor.cholesky_inverse Tensor.cholesky_solve Tensor.geqrf Tensor.lu Tensor.lu_solve Tensor.matrix_exp
            Tensor.orgqr Tensor.ormqr Tensor.pinverse Tensor.triangular_solve torch.cholesky_inverse
            torch.cholesky_solve torch.geqrf torch.linalg.cholesky_ex torch.linalg.householder_product
            torch.linalg.inv_ex torch.linalg.ldl_factor torch.linalg.ldl_factor_ex torch.linalg.ldl_solve
            torch.linalg.lu torch.linalg.lu_factor torch.linalg.lu_factor_ex torch.linalg.lu_solve
            torch.linalg.solve_ex torch.linalg.tensorinv torch.linalg.tensorsolve torch.lu torch.lu_solve
            torch.lu_unpack torch.orgqr torch.ormqr torch.triangular_solve
        """),
        ("fft", """
            Tensor.istft Tensor.stft torch.fft.fft torch.fft.fft2 torch.fft.fftfreq torch.fft.fftn
            torch.fft.fftshift torch.fft.hfft torch.fft.hfft2 torch.fft.hfftn torch.fft.ifft torch.fft.ifft2
            torch.fft.ifftn torch.fft.ifftshift torch.fft.ihfft torch.fft.ihfft2 torch.fft.ihfftn torch.fft.irfft
            torch.fft.irfft2 torch.fft.irfftn torch.fft.rfft torch.fft.rfft2 torch.fft.rfftfreq torch.fft.rfftn
            torch.istft torch.stft
        """),
        ("indexing", """
            Tensor.__getitem__ Tensor.__setitem__
        """),
        ("joining", """
            Tensor.chunk Tensor.combinations Tensor.dsplit Tensor.hsplit Tensor.split Tensor.split_with_sizes
            Tensor.tensor_split Tensor.unbind Tensor.unsafe_chunk Tensor.vsplit torch.block_diag
            torch.cartesian_prod torch.cat torch.chunk torch.column_stack torch.combinations torch.concat
            torch.concatenate torch.dsplit torch.dstack torch.hsplit torch.hstack torch.row_stack torch.split
            torch.split_with_sizes torch.stack torch.tensor_split torch.unbind torch.unsafe_chunk torch.vsplit
            torch.vstack
        """),
        ("linalg", """
            Tensor.cholesky Tensor.det Tensor.inverse Tensor.logdet Tensor.matrix_power Tensor.qr Tensor.slogdet
            Tensor.svd torch.cholesky torch.det torch.inverse torch.linalg.cholesky torch.linalg.cond
            torch.linalg.det torch.linalg.eig torch.linalg.eigh torch.linalg.eigvals torch.linalg.eigvalsh
            torch.linalg.inv torch.linalg.lstsq torch.linalg.matrix_exp torch.linalg.matrix_norm
            torch.linalg.matrix_power torch.linalg.matrix_rank torch.linalg.norm torch.linalg.pinv torch.linalg.qr
            torch.linalg.slogdet torch.linalg.solve torch.linalg.solve_triangular torch.linalg.svd
            torch.linalg.svdvals torch.linalg.vander torch.linalg.vecdot torch.linalg.vector_norm torch.logdet
            torch.matrix_exp torch.matrix_power torch.pinverse torch.qr torch.slogdet torch.svd
        """),
        ("lookup", """
            F.embedding Tensor.argwhere Tensor.gather Tensor.index_add Tensor.index_copy Tensor.index_fill
            Tensor.index_put Tensor.index_select Tensor.masked_fill Tensor.masked_scatter Tensor.masked_select
            Tensor.nonzero Tensor.put Tensor.scatter Tensor.scatter_add Tensor.scatter_reduce Tensor.select_scatter
            Tensor.slice_scatter Tensor.take Tensor.take_along_dim torch.argwhere torch.embedding torch.gather
            torch.index_add torch.index_copy torch.index_fill torch.index_put torch.index_select torch.masked_fill
            torch.masked_scatter torch.masked_select torch.nonzero torch.put torch.scatter torch.scatter_add
            torch.scatter_reduce torch.select_scatter torch.slice_scatter torch.take torch.take_along_dim
        """),
        ("loss", """
            F.binary_cross_entropy F.binary_cross_entropy_with_logits F.cosine_embedding_loss F.cross_entropy
            F.ctc_loss F.gaussian_nll_loss F.hinge_embedding_loss F.huber_loss F.kl_div F.l1_loss
            F.margin_ranking_loss F.mse_loss F.multi_margin_loss F.multilabel_margin_loss
            F.multilabel_soft_margin_loss F.nll_loss F.poisson_nll_loss F.smooth_l1_loss F.soft_margin_loss
            F.triplet_margin_loss F.triplet_margin_with_distance_loss
        """),
        ("loss_functions", """
            F.linear_cross_entropy torch.binary_cross_entropy_with_logits torch.cosine_embedding_loss torch.ctc_loss
            torch.hinge_embedding_loss torch.kl_div torch.margin_ranking_loss torch.poisson_nll_loss
            torch.triplet_margin_loss
        """),
        ("matmul", """
            F.bilinear F.linear Tensor.addbmm Tensor.addmm Tensor.addmv Tensor.addr Tensor.baddbmm Tensor.bmm
            Tensor.cross Tensor.dot Tensor.ger Tensor.inner Tensor.kron Tensor.matmul Tensor.mm Tensor.mv
            Tensor.outer Tensor.vdot torch.addbmm torch.addmm torch.addmv torch.addr torch.baddbmm torch.bilinear
            torch.bmm torch.chain_matmul torch.cross torch.dot torch.ger torch.inner torch.kron torch.linalg.cross
            torch.linalg.matmul torch.linalg.multi_dot torch.matmul torch.mm torch.mv torch.outer torch.tensordot
            torch.vdot
        """),
        ("normalization", """
            F.batch_norm F.group_norm F.instance_norm F.layer_norm F.local_response_norm F.normalize F.rms_norm
            torch.batch_norm torch.group_norm torch.instance_norm torch.layer_norm torch.rms_norm
        """),
        ("pointwise", """
            Tensor.add Tensor.addcdiv Tensor.addcmul Tensor.arctan2 Tensor.atan2 Tensor.bitwise_and
            Tensor.bitwise_left_shift Tensor.bitwise_or Tensor.bitwise_right_shift Tensor.bitwise_xor Tensor.clamp
            Tensor.clamp_max Tensor.clamp_min Tensor.clip Tensor.copysign Tensor.div Tensor.divide
            Tensor.float_power Tensor.floor_divide Tensor.fmax Tensor.fmin Tensor.fmod Tensor.gcd Tensor.heaviside
            Tensor.hypot Tensor.lcm Tensor.ldexp Tensor.lerp Tensor.logaddexp Tensor.logaddexp2 Tensor.logical_and
            Tensor.logical_or Tensor.logical_xor Tensor.maximum Tensor.minimum Tensor.mul Tensor.multiply
            Tensor.nextafter Tensor.pow Tensor.remainder Tensor.sub Tensor.subtract Tensor.true_divide Tensor.where
            Tensor.xlogy torch.add torch.addcdiv torch.addcmul torch.arctan2 torch.atan2 torch.bitwise_and
            torch.bitwise_left_shift torch.bitwise_or torch.bitwise_right_shift torch.bitwise_xor torch.clamp
            torch.clamp_max torch.clamp_min torch.clip torch.copysign torch.div torch.divide torch.float_power
            torch.floor_divide torch.fmax torch.fmin torch.fmod torch.gcd torch.heaviside torch.hypot torch.lcm
            torch.ldexp torch.lerp torch.logaddexp torch.logaddexp2 torch.logical_and torch.logical_or
            torch.logical_xor torch.maximum torch.minimum torch.mul torch.multiply torch.nextafter torch.pow
            torch.remainder torch.rsub torch.sub torch.subtract torch.true_divide torch.where torch.xlogy
        """),
        ("pooling", """
            F.adaptive_avg_pool1d F.adaptive_avg_pool2d F.adaptive_avg_pool3d F.adaptive_max_pool1d
            F.adaptive_max_pool1d_with_indices F.adaptive_max_pool2d F.adaptive_max_pool2d_with_indices
            F.adaptive_max_pool3d F.adaptive_max_pool3d_with_indices F.avg_pool1d F.avg_pool2d F.avg_pool3d
            F.fractional_max_pool2d F.fractional_max_pool2d_with_indices F.fractional_max_pool3d
            F.fractional_max_pool3d_with_indices F.lp_pool1d F.lp_pool2d F.lp_pool3d F.max_pool1d
            F.max_pool1d_with_indices F.max_pool2d F.max_pool2d_with_indices F.max_pool3d F.max_pool3d_with_indices
            F.max_unpool1d F.max_unpool2d F.max_unpool3d torch.adaptive_avg_pool1d torch.adaptive_max_pool1d
            torch.avg_pool1d torch.max_pool1d torch.max_pool1d_with_indices torch.max_pool2d torch.max_pool3d
        """),
        ("random", """
            Tensor.bernoulli Tensor.bernoulli_ Tensor.cauchy_ Tensor.copy_ Tensor.exponential_ Tensor.fill_
            Tensor.geometric_ Tensor.log_normal_ Tensor.multinomial Tensor.normal_ Tensor.random_ Tensor.uniform_
            Tensor.zero_ torch.bernoulli torch.multinomial torch.normal torch.poisson torch.randint
            torch.randint_like torch.randperm
        """),
        ("ranges", """
            F.one_hot Tensor.tril Tensor.triu torch.arange torch.bartlett_window torch.blackman_window torch.eye
            torch.hamming_window torch.hann_window torch.kaiser_window torch.linspace torch.logspace torch.meshgrid
            torch.tril torch.tril_indices torch.triu torch.triu_indices torch.vander
        """),
        ("recurrent", """
            torch.gru torch.gru_cell torch.lstm torch.lstm_cell torch.rnn_relu torch.rnn_relu_cell torch.rnn_tanh
            torch.rnn_tanh_cell
        """),
        ("reductions", """
            Tensor.all Tensor.amax Tensor.amin Tensor.aminmax Tensor.any Tensor.argmax Tensor.argmin
            Tensor.count_nonzero Tensor.cummax Tensor.cummin Tensor.logsumexp Tensor.max Tensor.mean Tensor.median
            Tensor.min Tensor.mode Tensor.nanmean Tensor.nanmedian Tensor.nansum Tensor.norm Tensor.prod Tensor.std
            Tensor.sum Tensor.var torch.all torch.amax torch.amin torch.aminmax torch.any torch.argmax torch.argmin
            torch.count_nonzero torch.cummax torch.cummin torch.logsumexp torch.max torch.mean torch.median
            torch.min torch.mode torch.nanmean torch.nanmedian torch.nansum torch.norm torch.prod
            torch.special.logsumexp torch.std torch.std_mean torch.sum torch.var torch.var_mean
        """),
        ("resampling", """
            F.affine_grid F.channel_shuffle F.fold F.grid_sample F.interpolate F.pad F.pixel_shuffle
            F.pixel_unshuffle F.unfold F.upsample F.upsample_bilinear F.upsample_nearest torch.channel_shuffle
            torch.constant_pad_nd torch.grid_sampler torch.pixel_shuffle torch.pixel_unshuffle
        """),
        ("seldom", """
            F.conv_tbc Tensor.frexp Tensor.index_reduce Tensor.is_neg Tensor.narrow_copy Tensor.nonzero_static
            Tensor.resize_as_ Tensor.sum_to_size Tensor.unique_consecutive Tensor.unsafe_split
            Tensor.unsafe_split_with_sizes torch.conv_tbc torch.fill torch.frexp torch.index_reduce torch.is_neg
            torch.narrow_copy torch.nonzero_static torch.signal.windows.bartlett torch.signal.windows.blackman
            torch.signal.windows.cosine torch.signal.windows.exponential torch.signal.windows.gaussian
            torch.signal.windows.general_cosine torch.signal.windows.general_hamming torch.signal.windows.hamming
            torch.signal.windows.hann torch.signal.windows.kaiser torch.signal.windows.nuttall
            torch.unique_consecutive torch.unsafe_split torch.unsafe_split_with_sizes
        """),
        ("similarity", """
            F.cosine_similarity F.pairwise_distance F.pdist F.scaled_dot_product_attention torch.cdist
            torch.cosine_similarity torch.pairwise_distance torch.pdist
        """),
        ("sorting", """
            Tensor.argsort Tensor.kthvalue Tensor.msort Tensor.sort Tensor.topk torch.argsort torch.bucketize
            torch.kthvalue torch.msort torch.searchsorted torch.sort torch.topk
        """),
        ("special", """
            Tensor.igamma Tensor.igammac Tensor.polygamma torch.igamma torch.igammac torch.special.airy_ai
            torch.special.bessel_j0 torch.special.bessel_j1 torch.special.bessel_y0 torch.special.bessel_y1
            torch.special.chebyshev_polynomial_t torch.special.chebyshev_polynomial_u
            torch.special.chebyshev_polynomial_v torch.special.chebyshev_polynomial_w torch.special.entr
            torch.special.erfcx torch.special.gammainc torch.special.gammaincc torch.special.gammaln
            torch.special.hermite_polynomial_h torch.special.hermite_polynomial_he torch.special.i0e
            torch.special.i1 torch.special.i1e torch.special.laguerre_polynomial_l
            torch.special.legendre_polynomial_p torch.special.log_ndtr torch.special.modified_bessel_i0
            torch.special.modified_bessel_i1 torch.special.modified_bessel_k0 torch.special.modified_bessel_k1
            torch.special.multigammaln torch.special.ndtr torch.special.ndtri torch.special.psi
            torch.special.scaled_modified_bessel_k0 torch.special.scaled_modified_bessel_k1
            torch.special.shifted_chebyshev_polynomial_t torch.special.shifted_chebyshev_polynomial_u
            torch.special.shifted_chebyshev_polynomial_v torch.special.shifted_chebyshev_polynomial_w
            torch.special.spherical_bessel_j0 torch.special.xlog1py torch.special.xlogy torch.special.zeta
        """),
        ("statistics", """
            Tensor.bincount Tensor.corrcoef Tensor.cov Tensor.cumprod Tensor.cumsum Tensor.dist Tensor.histc
            Tensor.histogram Tensor.logcumsumexp Tensor.nanquantile Tensor.quantile Tensor.renorm Tensor.unique
            torch.bincount torch.corrcoef torch.cov torch.cumprod torch.cumsum torch.dist torch.histc
            torch.histogram torch.logcumsumexp torch.nanquantile torch.quantile torch.renorm torch.unique
        """),
        ("unary", """
            F.sigmoid F.tanh Tensor.abs Tensor.absolute Tensor.acos Tensor.acosh Tensor.angle Tensor.arccos
            Tensor.arccosh Tensor.arcsin Tensor.arcsinh Tensor.arctan Tensor.arctanh Tensor.asin Tensor.asinh
            Tensor.atan Tensor.atanh Tensor.bitwise_not Tensor.ceil Tensor.conj Tensor.conj_physical Tensor.cos
            Tensor.cosh Tensor.deg2rad Tensor.digamma Tensor.erf Tensor.erfc Tensor.erfinv Tensor.exp Tensor.exp2
            Tensor.expm1 Tensor.fix Tensor.floor Tensor.frac Tensor.i0 Tensor.isfinite Tensor.isinf Tensor.isnan
            Tensor.isneginf Tensor.isposinf Tensor.isreal Tensor.lgamma Tensor.log Tensor.log10 Tensor.log1p
            Tensor.log2 Tensor.logical_not Tensor.logit Tensor.mvlgamma Tensor.nan_to_num Tensor.neg Tensor.negative
            Tensor.positive Tensor.rad2deg Tensor.reciprocal Tensor.relu Tensor.resolve_conj Tensor.resolve_neg
            Tensor.round Tensor.rsqrt Tensor.sgn Tensor.sigmoid Tensor.sign Tensor.signbit Tensor.sin Tensor.sinc
            Tensor.sinh Tensor.sqrt Tensor.square Tensor.tan Tensor.tanh Tensor.trunc torch.abs torch.absolute
            torch.acos torch.acosh torch.angle torch.arccos torch.arccosh torch.arcsin torch.arcsinh torch.arctan
            torch.arctanh torch.asin torch.asinh torch.atan torch.atanh torch.bitwise_not torch.ceil torch.conj
            torch.conj_physical torch.cos torch.cosh torch.deg2rad torch.digamma torch.erf torch.erfc torch.erfinv
            torch.exp torch.exp2 torch.expm1 torch.fix torch.floor torch.frac torch.i0 torch.imag torch.isfinite
            torch.isinf torch.isnan torch.isneginf torch.isposinf torch.isreal torch.lgamma torch.log torch.log10
            torch.log1p torch.log2 torch.logical_not torch.logit torch.mvlgamma torch.nan_to_num torch.neg
            torch.negative torch.polygamma torch.positive torch.rad2deg torch.real torch.reciprocal torch.relu
            torch.relu_ torch.resolve_conj torch.resolve_neg torch.round torch.rsqrt torch.sgn torch.sigmoid
            torch.sign torch.signbit torch.sin torch.sinc torch.sinh torch.special.digamma torch.special.erf
            torch.special.erfc torch.special.erfinv torch.special.exp2 torch.special.expit torch.special.expm1
            torch.special.i0 torch.special.log1p torch.special.logit torch.special.polygamma torch.special.round
            torch.special.sinc torch.sqrt torch.square torch.tan torch.tanh torch.trunc
        """),
        ("views", """
            Tensor.as_strided Tensor.as_strided_ Tensor.broadcast_to Tensor.expand Tensor.expand_as Tensor.flatten
            Tensor.narrow Tensor.ravel Tensor.reshape Tensor.reshape_as Tensor.resize_ Tensor.select Tensor.squeeze
            Tensor.squeeze_ Tensor.swapaxes_ Tensor.swapdims_ Tensor.t_ Tensor.transpose_ Tensor.unflatten
            Tensor.unfold Tensor.unsqueeze Tensor.unsqueeze_ Tensor.view Tensor.view_as Tensor.view_as_complex
            Tensor.view_as_real torch.as_strided torch.atleast_1d torch.atleast_2d torch.atleast_3d
            torch.broadcast_shapes torch.broadcast_tensors torch.broadcast_to torch.flatten torch.narrow torch.ravel
            torch.reshape torch.select torch.squeeze torch.unflatten torch.unsqueeze torch.view_as_complex
            torch.view_as_real
        """),
    )
    for name in names.split()
}  # fmt: skip

LAYERS: dict[str, str] = {
    name: family
    for family, names in (
        ("activation", """
            CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish PReLU
            RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh
            Tanhshrink Threshold
        """),
        ("adaptive", """
            AdaptiveLogSoftmaxWithLoss
        """),
        ("attention", """
            MultiheadAttention
        """),
        ("containers", """
            ModuleDict ModuleList Sequential
        """),
        ("conv", """
            Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Fold Unfold
        """),
        ("conv_lazy", """
            LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d
        """),
        ("distance", """
            CosineSimilarity PairwiseDistance
        """),
        ("dropout", """
            AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout
        """),
        ("flatten", """
            Flatten Unflatten
        """),
        ("lazy", """
            LazyModuleMixin Recorder
        """),
        ("linear", """
            Bilinear Identity LazyLinear Linear NonDynamicallyQuantizableLinear
        """),
        ("linear_loss", """
            LinearCrossEntropyLoss
        """),
        ("loss", """
            BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss
            HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss MSELoss MarginRankingLoss MultiLabelMarginLoss
            MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss NLLLoss2d PoissonNLLLoss SmoothL1Loss SoftMarginLoss
            TripletMarginLoss TripletMarginWithDistanceLoss
        """),
        ("module", """
            Module
        """),
        ("norm", """
            BatchNorm1d BatchNorm2d BatchNorm3d GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNorm
            LocalResponseNorm RMSNorm SyncBatchNorm
        """),
        ("norm_lazy", """
            LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d
        """),
        ("old_names", """
            Container CrossMapLRN2d
        """),
        ("padding", """
            CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d
            ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d
            ZeroPad3d
        """),
        ("parallel", """
            DataParallel
        """),
        ("parameter", """
            Buffer Parameter Unbuilt UninitializedBuffer UninitializedParameter
        """),
        ("parameter_containers", """
            ParameterDict ParameterList
        """),
        ("pooling", """
            AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
            AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d
            LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d
        """),
        ("recurrent", """
            GRU GRUCell LSTM LSTMCell RNN RNNBase RNNCell RNNCellBase
        """),
        ("sparse", """
            Embedding EmbeddingBag
        """),
        ("transformer", """
            Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
        """),
        ("upsampling", """
            ChannelShuffle PixelShuffle PixelUnshuffle Upsample UpsamplingBilinear2d UpsamplingNearest2d
        """),
    )
    for name in names.split()
}  # fmt: skip
